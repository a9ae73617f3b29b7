// SPDX-License-Identifier: Apache-2.0
// What an author of a group gets wrong: what does not compile, and what is reported by name when the suite starts.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "harness/bench/run/group_cases.hpp"
#include "tests/harness/bench/described.hpp"

namespace torchgate::bench {
namespace {

using testing::Description;
using testing::mistake_of;

Timed unused(const Args&) {
  return [] { return 1; };
}

// A part of a group has only the members that apply to it.
template <class Part>
concept Claims = requires(Part part, Promise promise) {
  part.claims(promise);
};
template <class Part>
concept Compares = requires(Part part, CheckFunction check) {
  part.checks(check);
};
template <class Part>
concept ChecksAlone = requires(Part part, SweepCheckFunction check) {
  part.checks(check);
};
template <class Part>
concept ExistsSomewhere = requires(Part part, Where cases) {
  part.only(cases);
};
template <class Part>
concept LeavesOut = requires(Part part) {
  part.without({"peak_bytes"});
};
template <class Part>
concept StartsCold = requires(Part part) {
  part.cold(2);
};
static_assert(Claims<Reference> && Claims<Variant> && Claims<Sweep> && !Claims<Group>);
static_assert(Compares<Variant> && !Compares<Reference> && !Compares<Sweep> && !Compares<Group>);
static_assert(ChecksAlone<Sweep> && !ChecksAlone<Reference> && !ChecksAlone<Variant> && !ChecksAlone<Group>);
static_assert(ExistsSomewhere<Variant> && ExistsSomewhere<Sweep> && !ExistsSomewhere<Reference>);
static_assert(LeavesOut<Group> && !LeavesOut<Variant> && !LeavesOut<Sweep>);
static_assert(StartsCold<Group> && !StartsCold<Variant> && !StartsCold<Sweep>);

std::optional<std::string> positive(const Output& output) {
  return output.values.front() > 0 ? std::nullopt : std::optional<std::string>("is not positive");
}

// Two axes, a reference, and a variant of which more is said.
struct Pair {
  Axis batch;
  Axis layout;
  Variant variant;
};
Description pair_with(const std::function<void(Pair&)>& more) {
  return [more](Group& g) {
    const Axis batch = g.axis("batch", {1, 8});
    const Axis layout = g.axis("layout", {"nchw", "nhwc"});
    g.reference("ref", unused);
    Pair pair{batch, layout, g.variant("v", unused)};
    more(pair);
  };
}
struct Mistake {
  std::string title;
  Description describe;
  std::string said;
};

// In a group with an axis "a" of the values 1 and 2, and without a reference.
Description sweep_with(const std::function<void(Sweep&, const Axis& a)>& more) {
  return [more](Group& g) {
    const Axis a = g.axis("a", {1, 2});
    Sweep sweep = g.sweep("v", unused);
    more(sweep, a);
  };
}

TEST(Group, MistakesAreReportedByName) {
  const std::vector<Mistake> mistakes{
      {"one rank", [](Group& g) { g.ranks(1).sweep("v", unused); }, "ranks(): invalid number; use at least 2"},
      {"ranks on a device", [](Group& g) { g.ranks(2).devices().sweep("v", unused); }, "measured on the CPU only"},
      {"their metric", [](Group& g) { g.ranks(2).measures(ns("rank_spread")).sweep("v", unused); }, "rank_spread"},
      {"no variant", [](Group&) {}, "s/g: no variants"},
      {"axis twice",
       [](Group& g) {
         g.axis("a", {1});
         g.axis("a", {2});
         g.sweep("v", unused);
       },
       "duplicate axis \"a\""},
      {"no factory", [](Group& g) { g.sweep("v", nullptr); }, "missing factory"},
      {"variant name", [](Group& g) { g.sweep("a b", unused); }, "variant \"a b\""},
      {"variant without reference", [](Group& g) { g.variant("v", unused); }, "missing reference before it"},
      {"variant twice",
       [](Group& g) {
         g.sweep("v", unused);
         g.sweep("v", unused);
       },
       "duplicate variant \"v\""},
      {"reference late",
       [](Group& g) {
         g.sweep("v", unused);
         g.reference("r", unused);
       },
       "it must be the first variant"},
      {"two references",
       [](Group& g) {
         g.reference("r", unused);
         g.reference("q", unused);
       },
       "it must be the first variant"},
      {"sweep beside reference",
       [](Group& g) {
         g.reference("r", unused);
         g.sweep("v", unused);
       },
       "not possible in a group with a reference"},
      {"tolerance", pair_with([](Pair& p) { p.variant.within(-1); }), "invalid tolerance"},
      {"check of nothing", pair_with([](Pair& p) { p.variant.checks(CheckFunction()); }),
       "v: checks() has no function"},
      {"check twice", sweep_with([](Sweep& v, const Axis&) { v.checks(positive).checks(positive); }),
       "v: checks() is a duplicate"},
      {"only of no axis", [](Group& g) { g.sweep("v", unused).only(cpu); }, "names an unknown axis: device"},
      {"needs of no value", sweep_with([](Sweep& v, const Axis& a) { v.needs("x", a(3)); }), "unknown case: a:3"},
      {"without a timed one", [](Group& g) { g.without({"time"}).sweep("v", unused); },
       "without(\"time\"): unknown exact metric"},
      {"claim of what is left out",
       [](Group& g) {
         g.without({"peak_bytes"}).reference("r", unused);
         g.variant("v", unused).claims(metric("peak_bytes") <= 0.5 * reference());
       },
       "an unknown metric"},
      {"claim of the reference", [](Group& g) { g.reference("r", unused).claims(time() <= 0.5 * reference()); },
       "only a variant can be"},
      {"reference in a sweep", sweep_with([](Sweep& v, const Axis&) { v.claims(time() <= 0.5 * reference()); }),
       "use case_with() in a sweep"},
      {"small claim", pair_with([](Pair& p) { p.variant.claims(time() <= 0.99 * reference()); }),
       "a time claim must be at least"},
      {"axis of case_with()", [](Group& g) { g.sweep("v", unused).claims(time() <= 0.5 * case_with(cpu)); },
       "names an unknown axis: device"},
      {"value of case_with()", sweep_with([](Sweep& v, const Axis& a) { v.claims(time() <= 0.5 * case_with(a(3))); }),
       "unknown case: a:3"},
      {"values of case_with()",
       sweep_with([](Sweep& v, const Axis& a) { v.claims(time() <= 0.5 * case_with(a(1, 2))); }), "takes one value"},
      {"case of case_with()",
       sweep_with([](Sweep& v, const Axis& a) { v.only(a(2)).claims(time() <= 0.5 * case_with(a(1))); }),
       "compares with an unknown case: s/g/v/a:1"},
      {"axis of where", pair_with([](Pair& p) { p.variant.claims(time() <= 0.5 * reference(), cpu); }),
       "unknown axis: device"},
      {"value of where", pair_with([](Pair& p) { p.variant.claims(time() <= 0.5 * reference(), p.batch(1, 7)); }),
       "unknown case: batch:7"},
      {"nothing selected", sweep_with([](Sweep& v, const Axis& a) { v.claims(time() <= 0.5 * case_with(a(1)), a(1)); }),
       "selects no cases"},
      {"claim of no metric", pair_with([](Pair& p) { p.variant.claims(metric("peak_byte") <= 0.5 * reference()); }),
       "an unknown metric"},
      {"metric of one side",
       pair_with([](Pair& p) { p.variant.measures(ns("own")).claims(metric("own") <= 0.5 * reference()); }),
       "the reference does not measure"},
      {"rate without items",
       pair_with([](Pair& p) { p.variant.claims(items_per_second() >= 2 * case_with(p.batch(1))); }), "needs items()"},
      {"items of words",
       [](Group& g) {
         const Axis a = g.axis("a", {"x"});
         g.items(a).sweep("v", unused);
       },
       "s/g/v/a:x: items(): axis \"a\" is not numeric"},
      {"no items", [](Group& g) { g.items([](const Args&) { return 0.0; }).sweep("v", unused); },
       "items() must be above 0"},
      {"metric of ours", [](Group& g) { g.measures(ns("time")).sweep("v", unused); }, "duplicate metric \"time\""},
      {"metric twice", [](Group& g) { g.measures(ns("x")).sweep("v", unused).measures(ns("x")); },
       "duplicate metric \"x\""},
      {"metric name", [](Group& g) { g.measures(ns("x y")).sweep("v", unused); }, "metric \"x y\""},
      {"exact primary", [](Group& g) { g.measures(count("x").primary()).sweep("v", unused); }, "only a timed one"},
      {"variant without a case", pair_with([](Pair& p) { p.variant.only(none); }), "s/g/v: only() selects no cases"},
      {"variant between two values", pair_with([](Pair& p) { p.variant.only(p.batch(1)).only(p.batch(8)); }),
       "s/g/v: only() selects no cases"},
      {"proof of no case", pair_with([](Pair& p) { p.variant.proves(calls("aten::mm") == 1, none); }),
       "s/g/v: proves(): \"calls aten::mm exactly 1 time\" selects no cases"},
      {"requirement of no case", pair_with([](Pair& p) { p.variant.needs("avx2", none); }),
       "s/g/v: needs(): \"avx2\" selects no cases; remove it, or select some"},
      {"requirement of excluded cases",
       pair_with([](Pair& p) { p.variant.only(p.batch(1)).needs("avx2", p.batch(8)); }), "selects no cases"},
      {"requirement of the group", [](Group& g) { g.needs("avx2", none).sweep("v", unused); },
       "s/g: needs(): \"avx2\" selects no cases"},
      {"quick profile of excluded cases", pair_with([](Pair& p) { p.variant.only(p.batch(1)).quick(p.batch(8)); }),
       "s/g/v: quick() selects no cases; remove it, or select some"},
      {"full profile of excluded cases", pair_with([](Pair& p) { p.variant.only(p.batch(1)).only_full(p.batch(8)); }),
       "s/g/v: only_full() selects no cases"},
      {"full profile of no case", [](Group& g) { g.only_full(none).sweep("v", unused); },
       "s/g: only_full() selects no cases"},
      {"proof of excluded cases",
       pair_with([](Pair& p) { p.variant.only(p.batch(1)).proves(calls("aten::mm") == 1, p.batch(8)); }),
       "selects no cases"},
      {"claim about no case", pair_with([](Pair& p) { p.variant.claims(time() <= 0.9 * reference(), none); }),
       "selects no cases"},
      {"claim about excluded cases",
       pair_with([](Pair& p) { p.variant.only(p.batch(1)).claims(time() <= 0.9 * reference(), p.batch(8)); }),
       "selects no cases"},
      {"two primaries", [](Group& g) { g.measures(ns("x").primary()).measures(ns("y").primary()).sweep("v", unused); },
       "more than one metric is primary"}};
  for (const Mistake& mistake : mistakes) {
    const std::string said = mistake_of(mistake.describe);
    EXPECT_NE(said.find(mistake.said), std::string::npos) << mistake.title << ": " << said;
    EXPECT_NE(said.find("s/g"), std::string::npos) << mistake.title << ": " << said;
  }
  EXPECT_EQ(mistake_of(pair_with([](Pair&) {})), "");
  EXPECT_EQ(mistake_of(pair_with([](Pair& p) { p.variant.only(p.batch(1)).quick(none); })), "");
}

TEST(Group, NamesAndValuesArePartsOfNamesOfCases) {
  const auto with_axis = [](const char* name, std::initializer_list<const char*> values) {
    return mistake_of([&](Group& g) {
      g.axis(name, values);
      g.sweep("v", unused);
    });
  };
  EXPECT_NE(with_axis("a:b", {"x"}).find("axis \"a:b\""), std::string::npos);
  EXPECT_NE(with_axis("a", {}).find("axis \"a\" has no values"), std::string::npos);
  EXPECT_NE(with_axis("a", {"x", "y", "x"}).find("axis \"a\": duplicate value x"), std::string::npos);
  EXPECT_NE(with_axis("a", {"x/y"}).find("value of axis a \"x/y\""), std::string::npos);
  const Description sweep = [](Group& g) { g.sweep("v", unused); };
  EXPECT_NE(mistake_of(sweep, "s/g h").find("letters, digits"), std::string::npos);
  EXPECT_NE(mistake_of(sweep, "s/g/h").find("group \"g/h\""), std::string::npos) << "without the name of the suite";
  EXPECT_EQ(mistake_of(sweep, "s/g.h"), "");
}

TEST(GroupsOf, ASuiteHasEveryGroupOnce) {
  const auto sweep = [](Group& g) { g.sweep("v", unused); };
  const auto names_of = [](const std::vector<RegisteredGroup>& registered) {
    std::vector<std::string> all;
    for (const GroupCases& group : groups_of("s", registered)) all.push_back(group.name());
    return all;
  };
  EXPECT_EQ(names_of({{"a", sweep}, {"b", sweep}}), (std::vector<std::string>{"s/a", "s/b"}));
  EXPECT_THROW((void)names_of({}), std::logic_error);
  EXPECT_THROW((void)names_of({{"a", sweep}, {"b", sweep}, {"a", sweep}}), std::logic_error);
}

}  // namespace
}  // namespace torchgate::bench
