// SPDX-License-Identifier: Apache-2.0
// A group of cases, as its author declares it:
//
//   TORCHGATE_GROUP("fusion/conv_bn")
//       .axis("batch", {1, 8}).axis("layout", {"nchw", "nhwc"}).devices()
//       .items("batch")
//       .reference("eager", eager)
//       .variant("folded", folded, within(1e-4))
//           .proves(calls("aten::batch_norm") == 0)
//           .claims(time() <= 0.9 * reference());
//
// needs(), measures(), phases(), gates(), quick(), only_in(), samples(), graphs(), artefact(), environment(), threads() and
// cpus() belong to the variant above them, or to the whole group if they come before the first variant; checks(), proves() and
// claims() to the variant or sweep above them; axis(), devices(), items(), bytes(), training(), ranks() and cold() to the whole
// group. Mistakes in a group (a duplicate axis, a claim on an unknown case) are reported by name when the suite starts, with
// exit code 2: nothing is thrown while the program is still initialising.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/args.hpp"
#include "harness/bench/metrics.hpp"
#include "harness/bench/observation.hpp"
#include "harness/bench/output.hpp"
#include "harness/bench/promise.hpp"
#include "harness/bench/timed.hpp"
#include "harness/record/case.hpp"

namespace torchgate::bench {

/// Builds model and inputs once, untimed, and returns the timed call.
using Factory = std::function<Timed(const Args&)>;

/// Whether a requirement is met: absent if it is, otherwise the reason ("this CPU has no amx_bf16").
using Requirement = std::function<std::optional<std::string>()>;

/// Group-level and variant-level needs: a name the backend knows ("cuda", "avx512_bf16", "qengine:onednn"), or a test.
struct Need {
  std::string name;
  Requirement test;  ///< empty: the backend answers for the name
  Selection where;   ///< axis values that it applies to; empty: all
};

/// Cases that a profile leaves out: each takes longer and measures more than the one before, quick, default, full.
struct LeftOut {
  std::string by;  ///< this profile, and those that take less time
  Selection where;
};

/// The settings of a case that is measured in a process of its own, in addition to those of its group's process.
struct OwnProcess {
  std::vector<record::Parameter> environment;
  std::optional<int> threads;  ///< intra-operator threads
  std::optional<int> cpus;     ///< it may use so many, the first ones of those that the group's process may use

  [[nodiscard]] bool empty() const { return environment.empty() && !threads && !cpus; }
};

struct Variant {
  std::string name;
  Factory factory;
  bool is_reference = false;
  Tolerance tolerance;
  CheckFunction check;
  SweepCheckFunction sweep_check;
  std::vector<Selection> only;
  bool graphs = false;
  std::vector<Need> needs;
  std::vector<OwnMetric> metrics;
  std::vector<std::string> gated;
  std::vector<Selection> quick;
  std::vector<LeftOut> left_out;
  std::optional<std::int64_t> samples;
  std::vector<std::string> artefacts;
  OwnProcess own_process;
  std::vector<std::pair<Expectation, Selection>> expectations;
  std::vector<std::pair<Promise, Selection>> promises;
};

class Group {
 public:
  /// `name` is "suite/group", with exactly one slash.
  explicit Group(std::string name);

  /// Cases are the product of all axes. At least one value, no duplicates. Names and values, like those of groups and
  /// variants, become part of the case's name: letters, digits and _ . + - only.
  Group& axis(std::string name, std::initializer_list<int> numbers);
  Group& axis(std::string name, std::initializer_list<const char*> words);
  /// Axis "device" with cpu and cuda; cuda cases are skipped without a CUDA device.
  Group& devices();
  /// How many items one call processes: throughput is derived from it. The value of a numeric axis, or a function.
  Group& items(const std::string& axis);
  Group& items(std::function<double(const Args&)> per_call);
  /// How many bytes one call reads and writes by its definition: bytes per second are derived from it.
  Group& bytes(std::function<double(const Args&)> per_call);
  /// Gradients are recorded during the call (off by default: a group measures inference).
  Group& training();
  /// Each case is measured by this number of processes together (at least 2): `torchgate run` starts them, or
  /// torchrun or srun. They build the same variants and make the same calls; this_world() returns the rank. Outputs
  /// must be equal on all of them. Not with devices().
  Group& ranks(int count);
  /// A value that the calls put into their Recorder, with unit, direction and kind. A case that does not record it
  /// in every sample fails. At most one of a case's metrics may be `primary`: it is gated in place of the time.
  Group& measures(const OwnMetric& metric);
  Group& measures(record::Metric metric) { return measures(OwnMetric(std::move(metric))); }
  /// Phases that the calls time with their Recorder: { auto p = recorder.phase("forward"); ... }. Each is a timed metric
  /// in ns.
  Group& phases(std::initializer_list<const char*> names);
  /// A value of this exact metric that is worse than the baseline's fails the gate. Without gates() a change of an exact
  /// metric is listed, and peak_bytes fails only from the policy's gate.peak_memory on.
  Group& gates(std::string metric);
  /// The group's cases do not have this exact metric, because it is not repeatable: .without("peak_bytes") if threads
  /// work ahead by a random amount.
  Group& without(std::string metric);

  /// The profile quick measures only the cases with these axis values; several calls add up. A variant's own quick()
  /// replaces the group's.
  Group& quick(const Where& where);
  /// Only this profile measures them: "full" (`torchgate run --full`), for what is too long for every run.
  Group& only_in(const std::string& profile, const Where& where = {});
  /// The profile quick does not measure them: not_in("quick") of a variant.
  Group& not_in(const std::string& profile, const Where& where = {});
  /// Long calls: exactly this number of samples (at least 5) in every profile, after two calls of warm-up, with one profiled
  /// call and no search for leaks. Otherwise a call of 300 ms gets 10 samples in the default profile.
  Group& samples(int number);

  /// Each sample is a new process that builds the case and calls it once, so many in each process of the group. Metrics: `time`
  /// from the beginning of the factory to the first result, and its parts `build_time` and `first_call`; `load_time` from the
  /// launch to main(). Outputs are checked, and counts taken, after the first call. Not with ranks() or samples().
  Group& cold(int launches = 3);
  /// A file that the case reads with args.artefact(name): a compiled model. torchgate_suite(... ARTEFACTS ...) builds it, and
  /// it is recorded, compared and kept with baselines like a shared library of the suite. Where it is missing, cases are
  /// skipped with the reason.
  Group& artefact(std::string file_name);
  /// The cases are measured in a process of their own in which this environment variable is set: for what is read once when a
  /// library is loaded. Not with ranks().
  Group& environment(std::string name, std::string value);
  /// ... with this number of intra-operator threads, from the start.
  Group& threads(int count);
  /// ... that may use this number of CPUs.
  Group& cpus(int count);

  /// CUDA cases are also captured into a CUDA graph and replayed: metrics gpu_time_graph, graph_build_time and
  /// graph_nodes. Each call must allocate and read the same memory; a call that cannot be captured fails.
  Group& graphs();

  /// The implementation that the group's variants are compared with. At most one, and before the variants.
  Group& reference(std::string name, Factory factory);
  /// An optimised implementation of the reference's work. Its output must be within the tolerance of the reference's.
  Group& variant(std::string name, Factory factory, Tolerance tolerance = within(1e-5));
  /// A case without a reference: batch sizes, worker counts. Swept by the axes.
  Group& sweep(std::string name, Factory factory);

  /// Skips the variant (or the group) if it cannot run; with `where`, only the cases that it selects need it:
  /// .needs("amx_bf16", {{"device", "cpu"}}). (`requires` is a keyword in C++20.)
  Group& needs(std::string requirement, const Where& where = {});
  Group& needs(std::string name, Requirement test);
  /// The variant exists only for these axis values: .only({{"device", "cpu"}}); several calls add up. Never for the
  /// reference.
  Group& only(const Where& where);
  /// Replaces the comparison of the variant's output with the reference's. Not on a reference or a sweep.
  Group& checks(CheckFunction check);
  /// Checks the output of every case of the sweep above. Not on a reference or a variant.
  Group& checks(SweepCheckFunction check);
  /// Evidence that the expected code path ran, in the cases that `where` selects; without it the case is wrong.
  Group& proves(Expectation expectation, const Where& where = {});
  /// A claim about the variant, for the cases that `where` selects (all by default).
  Group& claims(Promise promise, const Where& where = {});

  // Used by the harness.
  struct Instance {
    record::Case definition;
    const Variant* variant = nullptr;
    Args args{{}, 0};
    std::string reference_case;  ///< empty for the reference itself and in a sweep
  };
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& suite() const { return suite_; }
  [[nodiscard]] bool is_training() const { return training_; }
  [[nodiscard]] std::int64_t rank_count() const { return ranks_; }
  [[nodiscard]] bool has_graphs(const Variant& variant) const { return graphs_ || variant.graphs; }
  [[nodiscard]] std::vector<OwnMetric> own_metrics(const Variant& variant) const;
  [[nodiscard]] std::optional<std::int64_t> cold_launches() const { return cold_launches_; }
  /// Group's and variant's together.
  [[nodiscard]] OwnProcess own_process(const Variant& variant) const;
  [[nodiscard]] bool has_own_process(const Variant& variant) const {
    return cold_launches_.has_value() || !own_process(variant).empty();
  }
  [[nodiscard]] std::vector<std::string> artefacts(const Variant& variant) const;
  /// Whether that profile measures the case.
  [[nodiscard]] bool is_in(const std::string& profile, const Instance& instance) const;
  /// As samples() gave it to the variant or the group.
  [[nodiscard]] std::optional<std::int64_t> sample_count(const Variant& variant) const;
  [[nodiscard]] const std::vector<Need>& group_needs() const { return needs_; }
  [[nodiscard]] const std::vector<Variant>& variants() const { return variants_; }
  /// All cases, in the order axes x variants. Throws std::logic_error with the first mistake of the group's author.
  [[nodiscard]] std::vector<Instance> instances() const;
  /// The group with its claims made concrete for those instances. Throws as above.
  [[nodiscard]] record::Group definition(const std::vector<Instance>& instances) const;

 private:
  Group& add(Variant variant);
  Variant* current(const char* modifier);
  OwnProcess& own_process_above() { return variants_.empty() ? own_process_ : variants_.back().own_process; }
  void check_own_process(const Variant& variant) const;
  Group& leave_out(const std::string& modifier, std::string by, const Where& where);
  Variant* checkable(bool has_function);
  Group& mistake(const std::string& what);
  [[nodiscard]] std::vector<Args> combinations() const;
  [[nodiscard]] std::vector<record::Metric> metrics_of(const Variant& variant, bool on_cuda) const;
  [[nodiscard]] record::Case case_of(const Variant& variant, const Args& args) const;
  void check_names() const;
  void check_metrics(const Variant& variant) const;
  void check_selection(const std::string& what, const Selection& selection) const;
  void check_modifiers(const Variant& variant) const;
  [[nodiscard]] bool compared_with_reference(const Variant& variant) const;
  [[nodiscard]] const Variant* find(const std::string& variant) const;
  void check_promise(const Variant& variant, const Promise& promise, const Selection& where) const;
  [[nodiscard]] std::string reference_of(const Promise& promise, const Instance& instance) const;
  void add_claims(const Variant& variant, const Promise& promise, const Selection& where,
                  const std::vector<Instance>& instances, std::vector<record::Claim>& claims) const;

  std::string name_;
  std::string suite_;
  std::vector<std::pair<std::string, std::vector<AxisValue>>> axes_;
  std::function<double(const Args&)> items_;
  std::function<double(const Args&)> bytes_;
  bool training_ = false;
  std::int64_t ranks_ = 1;
  bool graphs_ = false;
  std::vector<OwnMetric> metrics_;
  std::vector<std::string> left_out_;
  std::vector<std::string> gated_;
  std::vector<Selection> quick_;
  std::vector<LeftOut> left_out_by_profile_;
  std::optional<std::int64_t> samples_;
  std::optional<std::int64_t> cold_launches_;
  std::vector<std::string> artefacts_;
  OwnProcess own_process_;
  std::vector<Need> needs_;
  std::vector<Variant> variants_;
  std::string mistake_;
};

/// Whether a case with these arguments has all the axis values of the selection.
bool selected(const Selection& selection, const Args& args);

/// "suite/group/variant/axis:value/...".
std::string case_name(const std::string& group, const std::string& variant, const Args& args);

/// All groups of this program, in the order of their definition within a file.
const std::vector<Group>& registered_groups();

/// Throws std::logic_error if these are not valid groups of `suite`: none, duplicate names, a group of another suite.
void check_groups(const std::string& suite, const std::vector<Group>& groups);

/// Adds a finished group to the program's list; created by TORCHGATE_GROUP.
struct Registration {
  Registration(const Group& group);  // NOLINT(google-explicit-constructor): the end of the macro's chain
};

}  // namespace torchgate::bench

#define TORCHGATE_JOIN_(a, b) a##b
#define TORCHGATE_JOIN(a, b) TORCHGATE_JOIN_(a, b)
/// Defines and registers a group; see the top of this file.
#define TORCHGATE_GROUP(name)                                                                                    \
  [[maybe_unused]] static const ::torchgate::bench::Registration TORCHGATE_JOIN(torchgate_group_, __COUNTER__) = \
      ::torchgate::bench::Group(name)
