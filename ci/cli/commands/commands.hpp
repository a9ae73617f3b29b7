// SPDX-License-Identifier: Apache-2.0
// One function per command: arguments and policy in, printing done, exit code out.
#pragma once

#include "ci/cli/arguments.hpp"
#include "ci/cli/console.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::cli {

ExitCode run_command(const RunCommand& command, const policy::Policy& policy, const Console& console);
ExitCode compare_command(const CompareCommand& command, const policy::Policy& policy, const Console& console);
ExitCode gate_command(const GateCommand& command, const policy::Policy& policy, const Console& console);
/// `gate --suite`: pairs from the start.
ExitCode gate_now_command(const GateCommand& command, const policy::Policy& policy, const Console& console);
/// `gate --since`.
ExitCode gate_since_command(const GateCommand& command, const policy::Policy& policy, const Console& console);
ExitCode ab_command(const AbCommand& command, const policy::Policy& policy, const Console& console);
ExitCode accept_command(const AcceptCommand& command, const policy::Policy& policy, const Console& console);
ExitCode baseline_command(const BaselineCommand& command, const policy::Policy& policy, const Console& console);
ExitCode calibrate_command(const CalibrateCommand& command, const policy::Policy& policy, const Console& console);
ExitCode comment_command(const CommentCommand& command, const Console& console);
ExitCode triage_command(const TriageCommand& command, const policy::Policy& policy, const Console& console);
ExitCode import_command(const ImportCommand& command, const policy::Policy& policy, const Console& console);
ExitCode merge_command(const MergeCommand& command, const Console& console);
ExitCode unpack_command(const UnpackCommand& command, const Console& console);
ExitCode perf_command(const PerfCommand& command, const Console& console);
/// `ab --pair-plan`.
ExitCode ab_plan_command(const AbCommand& command, const policy::Policy& policy, const Console& console);
ExitCode report_command(const ReportCommand& command, const policy::Policy& policy, const Console& console);
ExitCode advise_command(const AdviseCommand& command, const policy::Policy& policy, const Console& console);
ExitCode doctor_command(const DoctorCommand& command, const policy::Policy& policy, const Console& console);
ExitCode history_command(const HistoryCommand& command, const policy::Policy& policy, const Console& console);
ExitCode explain_command(const ExplainCommand& command, const policy::Policy& policy, const Console& console);

}  // namespace torchgate::cli
