#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The check of the pull request, in progress before anything is measured, so that a job that ends early does not pass a required check.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"
name_workflow
program comment --begin --key "$key"
