#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The workflow of the README over pushes and pull requests: flow_test.py says what it plays.
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/flow_test.py" "$@"
