#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shell_completion_test.sh TORCHGATE SHELL: what a real shell completes with the script of `torchgate completion`. Exit code 77 where the shell
# is not installed.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 shell=$2
command -v "$shell" >/dev/null || { echo "skipped: $shell is not installed (apt-get install $shell)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p .torchgate/runs folder
touch .torchgate/runs/before.json report.json 'a file.json'
# The name of a run is never run: it may come with an artifact.
touch '.torchgate/runs/b$(touch executed).json'
"$torchgate" completion "$shell" >script
# As installed: zsh finds it by its name in a folder of functions.
mkdir functions
cp script functions/_torchgate

# One per line: what the shell offers at the end of the line that is its first argument.
in_bash() {
  bash --norc -c 'source ./script
    complete -p torchgate >/dev/null || exit 1
    read -ra COMP_WORDS <<<"${1//=/ = }"  # as bash splits what is typed
    [[ $1 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _torchgate
    printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}
in_fish() {
  HOME=$work fish --no-config -c 'source ./script; complete -C $argv[1]' "$1" | cut -f 1
}
# Completion functions of zsh run in its line editor only: an interactive zsh on a pseudo-terminal, whose compadd notes the matches that begin
# as the word does.
in_zsh() {
  zsh -f offers.zsh "$1"
  cat offered
}
cat >offers.zsh <<'ZSH'
zmodload zsh/zpty
rm -f offered; touch offered
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=(${(q)PWD}/functions \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; print -rl -- $found >>offered; builtin compadd "$@" }'
zpty -w shell 'note() { print -r -- /finished >>offered }; zle -N note; bindkey "^X" note; bindkey "^I" complete-word'
zpty -w -n shell "$1"$'\t\x18'
count=0
until grep -q /finished offered || ((++count > 5000)); do sleep 0.1; done
zpty -d shell
grep -q /finished offered && sed -i '/^\/finished$/d' offered
ZSH

offers() { "in_$shell" "$1"; }
# completes LINE WORD...: each of the words is offered
completes() {
  local offered word
  offered=$(offers "$1") || { complain "$shell: no answer to: $1"; return; }
  for word in "${@:2}"; do
    grep -qxF -- "$word" <<<"$offered" || complain "$shell: '$1' does not offer $word but: ${offered//$'\n'/ }"
  done
  echo "ok: $1"
}
# refuses LINE WORD...: none of them is
refuses() {
  local offered word
  offered=$(offers "$1") || true
  for word in "${@:2}"; do
    ! grep -qxF -- "$word" <<<"$offered" || complain "$shell: '$1' offers $word"
  done
  echo "ok: not from $1"
}

completes "torchgate " run gate baseline help completion
completes "torchgate ga" gate
refuses "torchgate ga" run
completes "torchgate baseline p" pin pull push
refuses "torchgate baseline p" gate
completes "torchgate completion " bash zsh fish
completes "torchgate help ver" verdicts
completes "torchgate gate --pair" --pairs --pair-plan --pairs-from
refuses "torchgate doctor --" --pairs --suspects
refuses "torchgate gate --" --suspects
completes "torchgate baseline add --with" --without-objects
completes "torchgate gate --confirm " none regressions all
completes "torchgate run --counter call" callgrind
completes "torchgate compare --rule wel" welch
completes "torchgate gate --color " auto always never
completes "torchgate compare bef" before
completes "torchgate report --output rep" report.json
[[ $shell != bash ]] || completes "torchgate compare --rule=wel" welch
refuses "torchgate compare b" executed
[[ ! -e executed ]] || complain "$shell ran a part of the name of a run"
finish
