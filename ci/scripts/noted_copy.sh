# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Two builds of one code: copies of a program that differ in one byte of a note section, which nothing loads. A comparison of
# such copies can fail; a comparison of identical files cannot, since they are never called regressed.
# Sourced, never run. Needs objcopy (binutils, which every compiler brings).

# noted_copy PROGRAM COPY BYTE: COPY is PROGRAM with an ELF note whose description begins with BYTE
noted_copy() {
  local program=$1 copy=$2 byte=$3 note code=0
  note=$(mktemp)
  # namesz 10, descsz 4, type 1; "torchgate\0" padded to 12 bytes; the description.
  printf '\x0a\0\0\0\x04\0\0\0\x01\0\0\0torchgate\0\0\0%s\0\0\0' "$byte" >"$note"
  objcopy --add-section .note.torchgate.copy="$note" "$program" "$copy" || code=$?
  rm -f "$note"
  return "$code"
}

# noted_copies FOLDER PROGRAM...: copies of each in FOLDER/old and FOLDER/new; paths of one length, since a path lies on the
# stack of what is started by it
noted_copies() {
  local folder=$1 program
  shift
  mkdir -p "$folder/old" "$folder/new"
  for program in "$@"; do
    noted_copy "$program" "$folder/old/${program##*/}" A || return
    noted_copy "$program" "$folder/new/${program##*/}" B || return
  done
}
