// SPDX-License-Identifier: Apache-2.0
// A group of cases: implementations of the same work, the axes over which they are measured, and what is claimed of them.
//
//   TORCHGATE_GROUP("conv_bn") {
//     const Axis batch = group.axis("batch", {1, 8});
//     const Axis layout = group.axis("layout", {"nchw", "nhwc"});
//     group.devices().items(batch);
//
//     group.reference("eager", eager);
//     group.variant("folded", folded)
//         .within(1e-4)
//         .proves(calls("aten::batch_norm") == 0)
//         .claims(time() <= 0.9 * reference(), where(cpu, batch(8)));
//   }
//
// What is said of `group` holds for all of its variants, in whatever order; what is said of a variant for that one. The body is
// a function that runs when the suite starts: loops and constants are possible. A mistake in it (a duplicate axis, a claim that
// selects no cases) is reported with the names of suite, group and variant, with exit code 2, before anything is measured.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "harness/bench/args.hpp"
#include "harness/bench/metrics.hpp"
#include "harness/bench/observation.hpp"
#include "harness/bench/output.hpp"
#include "harness/bench/promise.hpp"
#include "harness/bench/timed.hpp"
#include "harness/bench/where.hpp"

namespace torchgate::bench {

// What the harness keeps of a description: run/group_description.hpp.
struct CaseSettings;
struct GroupDescription;
struct VariantDescription;

/// Builds model and inputs once, untimed, and returns the timed call.
using Factory = std::function<Timed(const Args&)>;

/// Whether a requirement is met: absent if it is, otherwise the reason ("this CPU has no amx_bf16").
using Requirement = std::function<std::optional<std::string>()>;

/// Where a claim is made: .claims(time() <= 0.6 * reference(), batch(64), OnlyWith{"avx512_vnni"}). Elsewhere the case is measured, and the claim is
/// "not claimed here", with the reason.
struct OnlyWith {
  std::string requirement;  ///< as needs() takes it
  Requirement test = {};    ///< empty: the backend answers for the name
};

/// What may be said of a whole group or of one of its variants. A variant has its own and its group's.
template <class Self>
class Settings {
 public:
  /// Skips the cases if they cannot run here: "cuda", "avx512_bf16", "qengine:X86". (`requires` is a keyword in C++20.)
  Self& needs(std::string requirement, const Where& cases = {});
  Self& needs(std::string name, Requirement test);

  /// The profile quick measures only these cases; quick(none): not any. Several calls narrow it.
  Self& quick(const Where& cases);
  /// Only the profile full (`torchgate run --full`) measures these cases, which are too long for every run; all by default.
  Self& only_full(const Where& cases = {});
  /// Long calls: exactly this number of samples (at least 5) in every profile, after two calls of warm-up, with one profiled
  /// call and no search for leaks. Otherwise a call of 300 ms gets 10 samples in the default profile.
  Self& samples(int number);

  /// A value that the calls put into their Recorder (metrics.hpp). A case that does not record it in every sample fails. At most
  /// one of a case's metrics may be primary(): it is gated in place of the time.
  Self& measures(const OwnMetric& metric);
  /// Phases that the calls time with their Recorder: { auto p = recorder.phase("forward"); ... }. Each is a metric in ns.
  Self& phases(std::initializer_list<const char*> names);
  /// A value of this exact metric that is worse than the baseline's fails the gate. Without gates() a change of an exact
  /// metric is listed, and peak_bytes fails only from the policy's gate.peak_memory on.
  Self& gates(std::string metric);

  /// A file that the case reads with args.artefact(name): a compiled model. torchgate_suite(... ARTEFACTS ...) builds it, and
  /// it is recorded, compared and kept with baselines like a shared library of the suite. Where it is missing, cases are
  /// skipped with the reason.
  Self& artefact(std::string file_name);
  /// The cases are measured in a process of their own in which this environment variable is set: for what is read once when a
  /// library is loaded. Not with ranks().
  Self& environment(std::string name, std::string value);
  /// ... with this number of intra-operator threads, from the start.
  Self& threads(int count);
  /// ... that may use this number of CPUs.
  Self& cpus(int count);
  /// CUDA cases are also captured into a CUDA graph and replayed: metrics gpu_time_graph, graph_build_time and
  /// graph_nodes. Each call must allocate and read the same memory; a call that cannot be captured fails.
  Self& graphs();

 protected:
  Settings(std::string name, CaseSettings& settings);
  [[noreturn]] void mistake(const std::string& what) const;

 private:
  std::string name_;  // in messages
  CaseSettings* settings_;
};

/// What may be said of an implementation.
template <class Self>
class Implementation : public Settings<Self> {
 public:
  /// Evidence that the expected code path ran, in these cases (all by default); without it the case is wrong.
  Self& proves(Expectation expectation, const Where& cases = {});
  /// A claim about these cases (all by default), on all machines or where a requirement is met.
  Self& claims(Promise promise, const Where& cases = {}, const std::optional<OnlyWith>& only = {});

 private:
  friend Self;
  Implementation(const GroupDescription& group, VariantDescription& variant);
  VariantDescription* variant_;
};

/// What the variants of a group are compared with.
class Reference : public Implementation<Reference> {
  friend class Group;
  Reference(const GroupDescription& group, VariantDescription& variant) : Implementation(group, variant) {}
};

/// Another implementation of the reference's work.
class Variant : public Implementation<Variant> {
 public:
  /// The largest relative L2 distance of its output to the reference's; 1e-5 without it.
  Variant& within(double relative_l2);
  /// Replaces the comparison of its output with the reference's.
  Variant& checks(CheckFunction check);
  /// It exists only for these axis values. Several calls narrow it.
  Variant& only(const Where& cases);

 private:
  friend class Group;
  Variant(const GroupDescription& group, VariantDescription& variant) : Implementation(group, variant) {}
};

/// A case without a reference: batch sizes, worker counts.
class Sweep : public Implementation<Sweep> {
 public:
  /// Checks the output of every case.
  Sweep& checks(SweepCheckFunction check);
  /// As a variant's.
  Sweep& only(const Where& cases);

 private:
  friend class Group;
  Sweep(const GroupDescription& group, VariantDescription& variant) : Implementation(group, variant) {}
};

class Group : public Settings<Group> {
 public:
  /// Cases are the product of all axes. At least one value, no duplicates. Names and values, like those of groups and
  /// variants, become part of the case's name: letters, digits and _ . + - only.
  Axis axis(std::string name, std::initializer_list<int> numbers);
  Axis axis(std::string name, std::initializer_list<const char*> words);
  /// Axis "device" with cpu and cuda; cuda cases are skipped without a CUDA device.
  Group& devices();
  /// How many items one call processes: throughput is derived from it. The value of a numeric axis, or a function.
  Group& items(const Axis& axis);
  Group& items(std::function<double(const Args&)> per_call);
  /// How many bytes one call reads and writes by its definition; of a copy between host and device, the bytes copied. Bytes per second are derived from it.
  Group& bytes_per_call(std::function<double(const Args&)> per_call);
  /// Gradients are recorded during the call (off by default: a group measures inference).
  Group& training();
  /// Each case is measured by this number of processes together (at least 2): `torchgate run` starts them, or
  /// torchrun or srun. They build the same variants and make the same calls; this_world() returns the rank. Outputs
  /// must be equal on all of them. Not with devices().
  Group& ranks(int count);
  /// Each sample is a new process that builds the case and calls it once, so many in each process of the group. Metrics: `time`
  /// from the beginning of the factory to the first result, and its parts `build_time` and `first_call`; `load_time` from the
  /// launch to main(). Outputs are checked, and counts taken, after the first call. Not with ranks() or samples().
  Group& cold(int launches = 3);
  /// The cases do not have these exact metrics, because they are not repeatable: without({"peak_bytes"}) if threads work ahead
  /// by a random amount.
  Group& without(std::initializer_list<const char*> metrics);

  /// At most one, and before the variants.
  Reference reference(std::string name, Factory factory);
  /// Needs a reference, with which its output is compared.
  Variant variant(std::string name, Factory factory);
  /// In a group without a reference.
  Sweep sweep(std::string name, Factory factory);

  /// By the harness, which keeps what is said.
  explicit Group(GroupDescription& description);

 private:
  VariantDescription& add(std::string name, Factory factory);
  GroupDescription* description_;
};

/// Adds a group to the program's list; created by TORCHGATE_GROUP.
struct Registration {
  Registration(const char* name, void (*describe)(Group& group));
};

}  // namespace torchgate::bench

#define TORCHGATE_JOIN_(a, b) a##b
#define TORCHGATE_JOIN(a, b) TORCHGATE_JOIN_(a, b)
#define TORCHGATE_DESCRIBE(name, function)                                                                      \
  static void function(::torchgate::bench::Group& group);                                                       \
  [[maybe_unused]] static const ::torchgate::bench::Registration TORCHGATE_JOIN(function, _of)(name, function); \
  static void function(::torchgate::bench::Group& group)
/// Begins the description of a group of this suite; see the top of this file. The name is without that of the suite.
#define TORCHGATE_GROUP(name) TORCHGATE_DESCRIBE(name, TORCHGATE_JOIN(torchgate_group_, __COUNTER__))
