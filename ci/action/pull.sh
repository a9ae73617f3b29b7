#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reads the stored runs from the data branch. Before anything of the pull request runs: it has a token.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"
name_workflow
program baseline pull
# Two workflows may have measured one commit: the name of a cache has the key.
[[ -z ${GITHUB_OUTPUT:-} ]] || printf 'key=%s\n' "$key" >>"$GITHUB_OUTPUT"
