// SPDX-License-Identifier: Apache-2.0
// What `torchgate --help` prints above and below the list of options: first steps, and what every command has in common. The list of
// commands is in command_table.cpp.
#pragma once

namespace torchgate::cli {

inline constexpr const char* help_overview = R"(torchgate: performance-regression gate for C++ code on LibTorch

  torchgate run --save before        measure suites and save the results
  torchgate compare before           measure again and compare
  torchgate ab --before A --after B  measure two builds in alternation (most reliable)
  torchgate baseline add NAME        add a run as the baseline of its commit
  torchgate gate                     compare the newest run with its baseline, confirm suspects
  torchgate accept CASE --reason WHY accept a slow-down: add a waiver to torchgate-waivers.toml
  torchgate run --resume             resume an interrupted run
  torchgate merge FILE...            combine the shards of a run (run --shard i/n)
  torchgate unpack FILE.zip --into DIR
                                     unpack the artifact of an untrusted job, with limits
  torchgate doctor                   check whether this machine is quiet enough to benchmark on
  torchgate advise                   show which optimisations the models of a run leave out
  torchgate calibrate                measure this machine's noise: smallest detectable slow-down,
                                     false alarms per rule
  torchgate comment                  post the verdict on a pull request on GitHub
  torchgate perf                     answer /perf accept and /perf rerun in a pull request's thread
  torchgate triage                   keep one issue on GitHub per regression of the default branch
  torchgate explain CASE             show why a case's time changed: operators, counters, processes
  torchgate history CASE             show where a case's level changed over the stored runs)";

inline constexpr const char* help_exit_codes =
    "Exit codes: 0 no regression; 1 a failure under the policy; 2 usage, bad input or internal error; 3 no verdict "
    "possible (no baseline, another host, missing shards); 130 interrupted.\nSettings, later ones win: torchgate.toml "
    "(in this or a parent directory), TORCHGATE_<SECTION>_<KEY>, flags.";

}  // namespace torchgate::cli
