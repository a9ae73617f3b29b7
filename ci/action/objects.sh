# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the steps that keep and take the binaries of a baseline. A cache has them in two entries: what a commit builds under the
# commit, and large libraries (LibTorch: 0.4 to 4.6 GB of the 10 GB that GitHub keeps for a repository) once per content.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

objects=$store/objects
cached=.torchgate/cache/objects
cached_large=.torchgate/cache/large
large_key=$cached/large_key  # names the entry with the large files of this one

# keep_objects: what a cache keeps of the binaries in the store
keep_objects() {
  local file
  rm -rf .torchgate/cache
  mkdir -p "$cached" "$cached_large"
  [[ -d $objects ]] || return 0
  while IFS= read -r file; do
    ln "$file" "$cached_large/" 2>/dev/null || cp "$file" "$cached_large/"
  done < <(find "$objects" -type f -size +16M | sort)
  while IFS= read -r file; do
    ln "$file" "$cached/" 2>/dev/null || cp "$file" "$cached/"
  done < <(find "$objects" -type f ! -size +16M | sort)
  # Files are named by their content.
  find "$cached_large" -type f -printf '%f\n' | sort | sha256sum | head -c 64 >"$large_key"
}

# take_objects: into the store; torchgate checks each by its hash before it runs
take_objects() {
  local file name
  while IFS= read -r file; do
    name=$(basename "$file")
    [[ $name =~ ^[0-9a-f]{64}$ ]] || continue
    mkdir -p "$objects/${name:0:2}"
    [[ -e $objects/${name:0:2}/$name ]] || mv "$file" "$objects/${name:0:2}/$name"
  done < <(find "$cached" "$cached_large" -type f 2>/dev/null)
}
