#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# manual_page_test.sh TORCHGATE: man and mandoc show `torchgate help --man` without a warning. Exit code 77 where neither is installed.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$torchgate" help --man >torchgate.1
checked=0
if command -v man >/dev/null && command -v groff >/dev/null; then
  checked=1
  warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z torchgate.1 2>&1 >/dev/null) || complain "man fails"
  [[ -z $warnings ]] || complain "man warns: $warnings"
  LC_ALL=C.UTF-8 MANWIDTH=80 man -l torchgate.1 | col -b >shown.txt
  for word in "--pair-plan FILE" "gate.latency" "not_comparable" "EXIT CODES" "torchgate completion fish"; do
    grep -qF -- "$word" shown.txt || complain "man does not show: $word"
  done
fi
if command -v mandoc >/dev/null; then
  checked=1
  # Without a date the page of a commit is the same every day.
  warnings=$(mandoc -T lint -W warning torchgate.1 | grep -v "missing date") || true
  [[ -z $warnings ]] || complain "mandoc warns: $warnings"
fi
((checked)) || { echo "skipped: neither man-db with groff nor mandoc is installed"; exit 77; }
finish
