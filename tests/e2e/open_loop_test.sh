#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Latencies of our open loop are those that a client in another program sees.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
python3 "$(dirname "${BASH_SOURCE[0]}")/open_loop_test.py" "$1" || complain "the open loop"
finish
