// SPDX-License-Identifier: Apache-2.0
// Every number with a certified or published value, in one printed table; the tolerances are those of
// tests/simulations/RESULTS.md. The tests of each file go deeper; this one shows all of it at once.
#include <iostream>
#include <map>

#include "stats/autocorrelation.hpp"
#include "stats/change_estimate.hpp"
#include "stats/effect_size.hpp"
#include "stats/hodges_lehmann.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/moderated_variance.hpp"
#include "stats/moments.hpp"
#include "stats/mser.hpp"
#include "stats/multiplicity.hpp"
#include "stats/power.hpp"
#include "stats/quantile.hpp"
#include "stats/signed_rank.hpp"
#include "stats/student_t.hpp"
#include "stats/summary.hpp"
#include "stats/welch.hpp"
#include "tests/stats/benchstat_rows.hpp"
#include "tests/stats/certified_table.hpp"
#include "tests/stats/drawn_inputs.hpp"
#include "tests/stats/nist_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

constexpr double exact = 1e-10;
constexpr double root_finder = 5e-3;  // R's uniroot on samples with ties, or beyond 50 values
const std::string nist = "NIST StRD";
const char* const loose = "Hodges-Lehmann and interval, large samples or ties";
const std::string scipy = "SciPy 1.10.1";
const std::string r = "R 4.2.2";
const std::string reference = "statlib.py, 200 drawn inputs";

void univariate(CertifiedTable& table) {
  const auto check = [&](const std::string& set, const Numbers& values, double mean, double sd, double lag1,
                         double sd_digits, double lag1_digits) {
    const Summary summary = summarize(values).value();
    table.digits(set + " mean", nist, 15).compare(summary.mean, mean);
    table.digits(set + " standard deviation", nist, sd_digits).compare(summary.sd.value(), sd);
    table.digits(set + " lag-1 autocorrelation", nist, lag1_digits).compare(*lag1_autocorrelation(values), lag1);
  };
  for (const auto& set : read_json("nist/index.json")) {
    if (set.at("kind") != "univariate") continue;
    const std::string name = set.at("file");
    const bool stiff = name == "NumAcc3.csv";  // seven equal leading digits: what a double holds is the limit
    check(name.substr(0, name.find('.')), read_nist(name).at(0), certified(set, "mean"), certified(set, "sd"),
          certified(set, "lag1"), stiff ? 9 : 13, stiff ? 11 : 13);
  }
  check("NumAcc1", {10000001, 10000003, 10000002}, 10000002, 1, -0.5, 13, 13);
  check("NumAcc4", num_acc_4(), 10000000.2, 0.1, -0.999, 8, 10);
}

// Cohen's d is the pooled t over sqrt(1/n1 + 1/n2).
void pooled_t(CertifiedTable& table) {
  for (const auto& set : read_json("nist/index.json")) {
    if (!set.contains("pooled_t_abs_derived")) continue;
    const std::string name = set.at("file");
    const std::vector<Numbers> groups = read_nist(name);
    const double sizes = 1.0 / static_cast<double>(groups[0].size()) + 1.0 / static_cast<double>(groups[1].size());
    table.digits(name.substr(0, name.find('.')) + " pooled t", nist, 8)
        .compare(std::abs(*cohen_d(groups[0], groups[1])) / std::sqrt(sizes), certified(set, "pooled_t_abs_derived"));
  }
}

Numbers logs(Numbers values) {
  for (double& value : values) value = std::log(value);
  return values;
}

void two_samples(CertifiedTable& table) {
  const auto row = [&](const char* what, const std::string& source, double tolerance) -> CertifiedRow& {
    return table.relative(what, source, tolerance);
  };
  CertifiedRow& welch_scipy = row("Welch t, df, p", scipy, exact);
  CertifiedRow& welch_r = row("Welch t, df, p", r, exact);
  CertifiedRow& log_p = row("Welch p on logarithms", scipy, exact);
  CertifiedRow& same = row("two one-sided tests, p", scipy, exact);
  CertifiedRow& pooled = row("pooled t: p", scipy, exact);
  CertifiedRow& paired = row("paired t, p", scipy, exact);
  CertifiedRow& effect_sizes = row("Cohen's d", scipy, exact);
  CertifiedRow& u = row("Mann-Whitney U, exact p, normal p", scipy, exact);
  CertifiedRow& u_r = row("Mann-Whitney U, exact p", r, exact);
  CertifiedRow& v = row("signed rank: exact p", scipy, exact);
  CertifiedRow& v_r = row("signed rank V, exact p", r, exact);
  CertifiedRow& quantiles = row("P50, P95, P99", "NumPy", exact);
  CertifiedRow& centre = row("Hodges-Lehmann centre and interval", r, exact);
  for (const auto& one : read_json("vectors.json", "two_sample")) {
    const Numbers a = one.at("a");
    const Numbers b = one.at("b");
    const auto& from_r = one.at("R");
    const std::string name = one.at("name");
    const bool by_root_finder = name == "big_60v60" || name == "ties_10v10";
    const auto want = [&](const char* key) { return one.at(key).get<double>(); };

    const Welch w = welch(a, b).value();
    welch_scipy.compare(w.t, want("welch_t"));
    welch_scipy.compare(*w.df, want("welch_df"));
    welch_scipy.compare(w.p, want("welch_p"));
    welch_r.compare(w.t, from_r.at("welch_t_df_p").at(0));
    welch_r.compare(*w.df, from_r.at("welch_t_df_p").at(1));
    welch_r.compare(w.p, from_r.at("welch_t_df_p").at(2));
    const Welch on_logs = welch(logs(a), logs(b)).value();
    log_p.compare(on_logs.p, want("log_ratio_welch_p"));
    const double distance = std::log(1.05) - std::abs(on_logs.difference);
    same.compare(student_t_upper_tail(distance / on_logs.standard_error, *on_logs.df),
                 want("tost_log_ratio_margin5pct_p"));
    const auto n1 = static_cast<double>(a.size());
    const auto n2 = static_cast<double>(b.size());
    const double d = cohen_d(a, b).value();
    pooled.compare(student_t_two_sided_p(d / std::sqrt(1.0 / n1 + 1.0 / n2), n1 + n2 - 2.0), want("pooled_t_p"));
    effect_sizes.compare(d, want("cohen_d"));

    const MannWhitney ranks = mann_whitney(a, b).value();
    u.compare(ranks.u, want("U_b"));
    u.compare(ranks.p, want("mwu_exact_p"));
    u.compare(mann_whitney(a, b, {.exact_per_side = 0, .exact_with_ties = 0})->p, want("mwu_asymptotic_p"));
    u_r.compare(ranks.u, from_r.at("wilcox_W_p").at(0));
    u_r.compare(ranks.p, from_r.at("wilcox_W_p").at(1));
    quantiles.compare(quantile(a, 0.50).value(), want("p50_a"));
    quantiles.compare(quantile(a, 0.95).value(), want("p95_a"));
    quantiles.compare(quantile(a, 0.99).value(), want("p99_a"));

    Numbers differences;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(b[i] - a[i]);
    const Moments m = moments(differences).value();
    const double t = m.mean / std::sqrt(*m.variance() / static_cast<double>(m.n));
    paired.compare(t, want("paired_t"));
    paired.compare(student_t_two_sided_p(t, static_cast<double>(m.n - 1)), want("paired_p"));
    const SignedRank signs = signed_rank(differences).value();
    v.compare(signs.p, want("signed_rank_exact_p"));
    const auto& wilcoxon = from_r.at("signed_rank_V_p_hl_ci95");
    v_r.compare(signs.positive_rank_sum, wilcoxon.at(0));
    v_r.compare(signs.p, wilcoxon.at(1));
    CertifiedRow& centres = by_root_finder ? row(loose, r, root_finder) : centre;
    // Five values cannot reach 95 %: R then gives its widest interval, of 93.75 %.
    const Interval around = signed_rank_interval(differences, a.size() == 5 ? 0.9 : 0.95).value();
    centres.compare(hodges_lehmann(differences).value(), wilcoxon.at(2));
    centres.compare(around.low, wilcoxon.at(3));
    centres.compare(around.high, wilcoxon.at(4));
  }
}

void many_and_sizes(CertifiedTable& table) {
  const auto vectors = read_json("vectors.json");
  const auto& multiplicity = vectors.at("multiplicity");
  const Numbers p = multiplicity.at("p");
  CertifiedRow& adjusted = table.relative("Benjamini-Hochberg", "statsmodels 0.13.5", exact);
  for (std::size_t i = 0; i < p.size(); ++i) {
    adjusted.compare((*benjamini_hochberg(p))[i], multiplicity.at("bh").at(i));
  }
  CertifiedRow& step_down = table.relative("Holm", "statsmodels 0.13.5", exact);
  for (std::size_t i = 0; i < p.size(); ++i) step_down.compare((*holm(p))[i], multiplicity.at("holm").at(i));
  CertifiedRow& power = table.relative("power at the listed n", "statsmodels 0.13.5", 1e-6);
  for (const auto& one : vectors.at("power_one_sample")) {
    power.compare(*power_one_sample(one.at("d"), one.at("n"), one.at("alpha")), one.at("power"));
  }
  CertifiedRow& orders = table.equal("quantile intervals: orders, none when too small", scipy);
  CertifiedRow& coverage = table.relative("quantile intervals: coverage", scipy, exact);
  for (const auto& one : vectors.at("quantile_ci")) {
    const QuantileOrders got = quantile_interval_orders(one.at("n"), one.at("q"), one.at("conf"));
    const auto wanted = [&](const char* key) { return one.at(key).is_null() ? 0.0 : one.at(key).get<double>(); };
    orders.compare(static_cast<double>(got.low.value_or(0)), wanted("lo_order"));
    orders.compare(static_cast<double>(got.high.value_or(0)), wanted("hi_order"));
    coverage.compare(got.coverage.value(), one.at("coverage"));
  }
}

void go_tests(CertifiedTable& table) {
  CertifiedRow& u = table.equal("Mann-Whitney U", "go-moremath");
  CertifiedRow& p = table.relative("Mann-Whitney exact p, ties too", "go-moremath", exact);
  for (const auto& one : read_json("benchstat/utest_exact.json", "cases")) {
    const MannWhitney got = mann_whitney(one.at(1).get<Numbers>(), one.at(0).get<Numbers>()).value();
    u.compare(got.u, one.at(2));
    p.compare(got.p, one.at(4));
  }
  CertifiedRow& rows = table.equal("benchstat crc set: delta or ~, p to 3 digits, n", "golang/perf");
  const BenchstatSamples before = read_go_benchmarks("benchstat/crc-old.txt");
  const BenchstatSamples after = read_go_benchmarks("benchstat/crc-new.txt");
  for (const BenchstatRow& wanted : read_benchstat_table("benchstat/crcIgnore.stdout")) {
    rows.compare(our_benchstat_row(wanted, before, after), wanted.text);
  }
  CertifiedRow& small = table.equal("benchstat old/new set: the same", "golang/perf");
  const BenchstatSamples old_set = read_go_benchmarks("benchstat/old.txt");
  const BenchstatSamples new_set = read_go_benchmarks("benchstat/new.txt");
  for (const BenchstatRow& wanted : read_benchstat_csv("benchstat/csvOldNew.stdout")) {
    small.compare(our_benchstat_row(wanted, old_set, new_set), wanted.text);
  }
}

void drawn(CertifiedTable& table) {
  const auto fixture = read_json("verdicts.json");
  const Choices choices(fixture);
  const auto each = [&](const char* part, auto&& check) {
    const auto& section = fixture.at(part);
    for (std::size_t i = 0; i < section.at("answers").size(); ++i) {
      Draw draw(section.at("seed").get<std::uint64_t>() + i);
      check(draw, section.at("answers").at(i));
    }
  };
  CertifiedRow& moderated = table.relative("limma: d0, s0^2, first and last variance", reference, 1e-8);
  each("moderation", [&](Draw& draw, const nlohmann::json& want) {
    const std::uint64_t n = 10 + draw.below(50);
    const auto df = static_cast<double>(2 + draw.below(18));
    const std::uint64_t spread = 1 + draw.below(14);
    std::vector<Variance> cases;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t size = 1 + draw.below(1U << 20U);
      cases.push_back({static_cast<double>(size << draw.below(spread)) * 0x1p-40, df});
    }
    const ModeratedVariances got = moderate(cases);
    moderated.compare(got.prior_df, number(want.at(0)));
    moderated.compare(got.prior_s2, want.at(1));
    moderated.compare(got.cases.front().s2, want.at(2));
    moderated.compare(got.cases.back().s2, want.at(3));
  });
  CertifiedRow& estimates = table.relative("Hodges-Lehmann centre", reference, 1e-8);
  each("hodges_lehmann", [&](Draw& draw, const nlohmann::json& want) {
    const std::uint64_t n = 1 + draw.below(40);
    const std::uint64_t kind = draw.below(3);
    const Numbers values = real(draw.whole_values(n, Draw::centre, kind, draw.pick(choices.scales), choices.mode));
    estimates.compare(hodges_lehmann(values).value(), want);
  });
  CertifiedRow& cuts = table.equal("MSER-5: samples dropped", "its definition, 200 drawn inputs");
  each("mser5", [&](Draw& draw, const nlohmann::json& want) {
    const std::uint64_t n = 10 + draw.below(190);
    const std::uint64_t kind = draw.below(3);
    const std::int64_t scale = draw.pick(choices.scales);
    const std::uint64_t warm = draw.below(60);
    std::vector<std::int64_t> whole = draw.whole_values(n, Draw::centre, kind, scale, choices.mode);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto height = static_cast<std::int64_t>((draw.below(3) << 43U) / (1 + i));
      if (i < warm) whole[i] += height;
    }
    cuts.compare(static_cast<double>(mser5(real(whole))->discard), want.get<double>());
  });
}

TEST(Certified, EveryNumberWithAKnownAnswer) {
  CertifiedTable table;
  univariate(table);
  pooled_t(table);
  two_samples(table);
  many_and_sizes(table);
  go_tests(table);
  drawn(table);
  table.print(std::cout);
  for (const CertifiedRow& row : table.rows()) EXPECT_TRUE(row.ok()) << row.line();
  EXPECT_GT(table.rows().size(), 40u);
}

}  // namespace
}  // namespace torchgate::stats
