// SPDX-License-Identifier: Apache-2.0
// What a suite includes. With LibTorch: harness/bench/torch/suite.hpp, which includes this.
#pragma once

#include "harness/bench/args.hpp"                   // IWYU pragma: export
#include "harness/bench/group.hpp"                  // IWYU pragma: export
#include "harness/bench/metrics.hpp"                // IWYU pragma: export
#include "harness/bench/observation.hpp"            // IWYU pragma: export
#include "harness/bench/output.hpp"                 // IWYU pragma: export
#include "harness/bench/program/suite_program.hpp"  // IWYU pragma: export
#include "harness/bench/promise.hpp"                // IWYU pragma: export
#include "harness/bench/ranks/world.hpp"            // IWYU pragma: export
#include "harness/bench/skip.hpp"                   // IWYU pragma: export
#include "harness/bench/timed.hpp"                  // IWYU pragma: export
#include "harness/bench/where.hpp"                  // IWYU pragma: export
