// SPDX-License-Identifier: Apache-2.0
// Nothing of it is used: see README.md one folder up.
#pragma once
