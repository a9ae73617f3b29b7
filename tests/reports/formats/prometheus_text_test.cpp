// SPDX-License-Identifier: Apache-2.0
// The serializer of prometheus-cpp is the yardstick: the same families, the same bytes.
#include "reports/formats/prometheus_text.hpp"

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <cmath>
#include <random>

#include "reports/formats/prometheus.hpp"
#include "tests/reports/hostile_names.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

std::string by_prometheus_cpp(const std::vector<PrometheusFamily>& families) {
  std::vector<prometheus::MetricFamily> theirs;
  for (const PrometheusFamily& family : families) {
    prometheus::MetricFamily one;
    one.name = family.name;
    one.help = family.help;
    one.type = prometheus::MetricType::Gauge;
    for (const PrometheusSample& sample : family.samples) {
      prometheus::ClientMetric metric;
      for (const auto& [name, value] : sample.labels) metric.label.push_back({name, value});
      metric.gauge.value = sample.value;
      one.metric.push_back(metric);
    }
    theirs.push_back(one);
  }
  return prometheus::TextSerializer().Serialize(theirs);
}

TEST(PrometheusText, NumbersAreThoseOfPrometheusCpp) {
  PrometheusFamily family{"torchgate_test_seconds", "A test", {}};
  for (const double value :
       {0.0, 1.0, -2.5, 0.1, 1e-9, 8.1e-05, 123456789.0, 1e15, 1e16, 1.7976931348623157e308, 5e-324})
    family.samples.push_back({{{"value", std::to_string(family.samples.size())}}, value});
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i)
    family.samples.push_back({{{"random", std::to_string(i)}},
                              std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 80) - 90)});
  EXPECT_EQ(prometheus_text({family}), by_prometheus_cpp({family}));
}

TEST(PrometheusText, LabelsAreThoseOfPrometheusCpp) {
  PrometheusFamily family{"torchgate_test", "A test", {{{}, 1}, {{{"a", "x"}, {"b", "y"}}, 2}}};
  for (const std::string& name : models::hostile_names_corpus()) family.samples.push_back({{{"case", name}}, 3});
  EXPECT_EQ(prometheus_text({family}), by_prometheus_cpp({family}));
}

TEST(Prometheus, ExportsAThousandCasesAndCountsTheOthers) {
  Report report = models::base();
  for (int i = 0; i < 1500; ++i) {
    report.findings.push_back(
        models::timed("suite/case:" + std::to_string(i), Verdict::equivalent, GateAction::pass, 1e6, 0.001));
  }
  report.findings.push_back(models::timed("suite/slow", Verdict::regressed, GateAction::fail, 1e6, 0.2));
  const std::string text = render_prometheus(report);
  EXPECT_NE(text.find("torchgate_findings_omitted 501\n"), std::string::npos);
  EXPECT_NE(text.find("torchgate_case_change_ratio{case=\"suite/slow\",metric=\"time\"} 0.2\n"), std::string::npos);
}

TEST(Prometheus, ACaseTwiceIsOneSeries) {
  Report report = models::base();
  report.findings = {models::timed("a", Verdict::regressed, GateAction::fail, 1e6, 0.2),
                     models::timed("a", Verdict::regressed, GateAction::fail, 1e6, 0.3)};
  std::size_t series = 0;
  for (const std::string& line : lines_of(render_prometheus(report)))
    series += line.starts_with("torchgate_case_fails{") ? 1U : 0U;
  EXPECT_EQ(series, 1U);
}

}  // namespace
}  // namespace torchgate::reports
