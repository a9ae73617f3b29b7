// SPDX-License-Identifier: Apache-2.0
// Each practice: followed, not followed, and not applicable, on records that were made for it.
#include "ci/advise/advise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "ci/advise/case_facts.hpp"
#include "reports/formats/model_advice_text.hpp"

namespace torchgate::advise {
namespace {

using record::OperatorUse;
using reports::AdviceAnswer;
using reports::AdviceRow;

// A run of one process, and what one case of it recorded.
class Made {
 public:
  Made() {
    run.id = "0123456789abcdef";
    run.sides.resize(1);
    run.processes.resize(1);
  }
  Made& add(const std::string& name, const std::string& device = "cpu") {
    record::Case definition;
    definition.name = name;
    definition.group = "g/one";
    definition.variant = name.substr(name.rfind('/') + 1);
    definition.device = device;
    run.cases.push_back(definition);
    record::CaseResult result;
    result.name = name;
    run.processes.front().cases.push_back(result);
    return *this;
  }
  Made& exact(const std::string& metric, double value) {
    record::Measurement m;
    m.metric = metric;
    m.value = value;
    last().measurements.push_back(m);
    return *this;
  }
  Made& timed(const std::string& metric, double median) {
    record::Measurement m;
    m.metric = metric;
    m.summary.emplace();
    m.summary->n = 5;
    m.summary->median = median;
    last().measurements.push_back(m);
    return *this;
  }
  // One observed call of 100 us.
  Made& profile(std::vector<OperatorUse> operators) {
    record::OperatorProfile made;
    made.passes = 5;
    made.call_ns = 100'000;
    made.operators = std::move(operators);
    last().profile = std::move(made);
    return *this;
  }
  Made& fact(const std::string& name, const std::string& value) {
    run.machine.facts.push_back({name, value, "", record::FactClass::warn});
    return *this;
  }
  [[nodiscard]] AdviceRow row(const std::string& id) const {
    for (AdviceRow& each : advise(run).rows) {
      if (each.id == id) return each;
    }
    throw std::logic_error("no practice " + id);
  }
  [[nodiscard]] AdviceAnswer answer(const std::string& id) const { return row(id).answer; }

  record::Run run;

 private:
  record::CaseResult& last() { return run.processes.front().cases.back(); }
};

Made one_case(const std::string& device = "cpu") {
  Made made;
  made.add("g/one/v", device);
  return made;
}

constexpr auto yes = AdviceAnswer::followed;
constexpr auto no = AdviceAnswer::not_followed;
constexpr auto na = AdviceAnswer::not_applicable;

TEST(Advise, WithoutEvidenceNothingAppliesAndThereIsNoScore) {
  for (const Made& made : {Made(), one_case()}) {
    const reports::ModelAdvice advice = advise(made.run);
    EXPECT_EQ(advice.rows.size(), 16U);
    for (const AdviceRow& row : advice.rows) EXPECT_EQ(row.answer, na) << row.id;
    EXPECT_FALSE(advice.score().has_value());
    EXPECT_NE(reports::model_advice_text(advice).find("score unknown"), std::string::npos);
  }
}

TEST(Advise, FourPracticesOfEachCategoryWithNamesOfTheirOwn) {
  const reports::ModelAdvice advice = advise(Made().run);
  std::map<std::string, int> of_category;
  std::set<std::string> ids;
  for (const AdviceRow& row : advice.rows) {
    ++of_category[row.category];
    ids.insert(row.id);
  }
  EXPECT_EQ(ids.size(), 16U);
  EXPECT_EQ(of_category.size(), 4U);
  for (const auto& [category, count] : of_category) EXPECT_EQ(count, 4) << category;
}

TEST(Advise, EachPracticeIsShownByAGroupOfTheCatalogue) {
  std::ifstream file(std::string(TORCHGATE_TESTS_DIR) + "/../suites/README.md");
  const std::string catalogue{std::istreambuf_iterator<char>(file), {}};
  for (const AdviceRow& row : advise(Made().run).rows)
    EXPECT_NE(catalogue.find("| `" + row.shown_by + "` |"), std::string::npos) << row.shown_by;
}

TEST(Advise, Released) {
  EXPECT_EQ(one_case().exact("retained_bytes", 0).answer("released"), yes);
  const AdviceRow row = one_case().exact("retained_bytes", 4096).row("released");
  EXPECT_EQ(row.answer, no);
  EXPECT_EQ(row.evidence.front().text, "a call keeps 4096 bytes");
}

TEST(Advise, InPlace) {
  const auto answer = [](const char* name, const char* inputs, double self_ns) {
    return one_case().profile({{name, inputs, 2, self_ns}}).answer("in_place");
  };
  EXPECT_EQ(answer("aten::mul", "Float 256x256, Float 256x256", 40'000), no);
  EXPECT_EQ(answer("aten::mul_", "Float 256x256, Float 256x256", 40'000), yes);
  EXPECT_EQ(answer("aten::mul", "Float 256x256, Float 256x256", 20'000), yes) << "a fifth of the call";
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 256x256", 1, 90'000}}).answer("in_place"), yes)
      << "the only one: its result may be the output";
  EXPECT_EQ(answer("aten::mul", "Float 16x16, Float 16x16", 40'000), na) << "small tensors stay in the cache";
  EXPECT_EQ(one_case()
                .profile({{"aten::mul", "Float 256x256", 1, 40'000},
                          {"autograd::engine::evaluate_function: MulBackward0", "", 1, 1}})
                .answer("in_place"),
            na)
      << "a backward pass needs the operands";
}

TEST(Advise, ContiguousInputs) {
  EXPECT_EQ(
      one_case().profile({{"aten::copy_", "Float 8x8, Float 8x8 strided", 1, 11'000}}).answer("contiguous_inputs"), no);
  EXPECT_EQ(one_case().profile({{"aten::copy_", "Float 8x8, Float 8x8", 1, 50'000}}).answer("contiguous_inputs"), yes);
  EXPECT_EQ(one_case().profile({{"aten::copy_", "Float 8x8, Float 8x8 strided", 1, 9'000}}).answer("contiguous_inputs"),
            yes);
}

TEST(Advise, GradientsToNone) {
  const OperatorUse backward{"autograd::engine::evaluate_function: MmBackward0", "", 1, 1};
  EXPECT_EQ(one_case().profile({backward, {"aten::zero_", "Float 8", 4, 1}}).answer("gradients_to_none"), no);
  EXPECT_EQ(one_case().profile({backward}).answer("gradients_to_none"), yes);
  EXPECT_EQ(one_case()
                .profile({backward, {"aten::zero_", "Float 8", 4, 1}, {"aten::zeros", "", 3, 1}})
                .answer("gradients_to_none"),
            yes)
      << "three of them are new";
  const OperatorUse gradients{"torch::autograd::AccumulateGrad", "", 9, 1};
  EXPECT_EQ(one_case().profile({backward, gradients, {"aten::zero_", "Float 8", 4, 1}}).answer("gradients_to_none"),
            yes)
      << "of nine gradients: what a loss or a reducer sets to zero";
  EXPECT_EQ(one_case().profile({backward, gradients, {"aten::zero_", "Float 8", 5, 1}}).answer("gradients_to_none"),
            no);
  EXPECT_EQ(one_case().profile({{"aten::zero_", "Float 8", 4, 1}}).answer("gradients_to_none"), na);
}

TEST(Advise, OnADevice) {
  const auto device = [](double time_ns, double launches, double copies) {
    Made made = one_case("cuda");
    made.timed("time", time_ns)
        .timed("gpu_time_hot", 100'000)
        .exact("kernel_launches", launches)
        .exact("device_copies", copies);
    return made;
  };
  EXPECT_EQ(device(120'000, 20, 0).answer("launches_amortised"), yes);
  EXPECT_EQ(device(120'000, 21, 0).answer("launches_amortised"), no);
  EXPECT_EQ(device(150'000, 1, 0).answer("not_host_bound"), yes);
  EXPECT_EQ(device(151'000, 1, 0).answer("not_host_bound"), no);
  EXPECT_EQ(device(120'000, 1, 1).answer("stays_on_device"), yes);
  EXPECT_EQ(device(120'000, 1, 2).answer("stays_on_device"), no);
  EXPECT_EQ(one_case().timed("time", 1).exact("device_copies", 9).answer("stays_on_device"), na) << "on the CPU";
}

TEST(Advise, FastElementTypes) {
  const std::vector<OperatorUse> fp32{{"aten::addmm", "Float 8, Float 8x8, Float 8x8", 1, 1}};
  const std::vector<OperatorUse> bf16{{"aten::addmm", "BFloat16 8, BFloat16 8x8, BFloat16 8x8", 1, 1}};
  const auto with_sibling = [&](double time_ns) {
    Made made;
    made.add("g/one/fp32").timed("time", 100).profile(fp32);
    made.add("g/one/bf16").timed("time", time_ns).profile(bf16);
    return made;
  };
  EXPECT_EQ(with_sibling(50).answer("fast_element_types"), no);
  EXPECT_EQ(with_sibling(50).row("fast_element_types").evidence.front().text,
            "the BF16 variant bf16 takes 0.50 of its time");
  EXPECT_EQ(with_sibling(90).answer("fast_element_types"), yes) << "this machine multiplies BF16 no faster";
  EXPECT_EQ(one_case().timed("time", 100).profile(fp32).answer("fast_element_types"), na);
  EXPECT_EQ(one_case("cuda").profile(fp32).fact("cuda_float32_matmul", "ieee").answer("fast_element_types"), no);
  EXPECT_EQ(one_case("cuda").profile(fp32).fact("cuda_float32_matmul", "tf32").answer("fast_element_types"), yes);
}

TEST(Advise, FusionAndCompilation) {
  EXPECT_EQ(
      one_case().profile({{"aten::mm", "Float 8x8", 1, 1}, {"aten::add", "Float 8x8", 1, 1}}).answer("bias_in_product"),
      no);
  EXPECT_EQ(one_case().profile({{"aten::addmm", "Float 8x8", 1, 1}}).answer("bias_in_product"), yes);
  EXPECT_EQ(one_case().profile({{"aten::mm", "Float 8x8", 1, 1}}).answer("bias_in_product"), yes);
  EXPECT_EQ(one_case().profile({{"aten::add", "Float 8x8", 1, 1}}).answer("bias_in_product"), na);

  EXPECT_EQ(one_case()
                .profile({{"aten::mkldnn_convolution", "Float 1", 1, 1}, {"aten::native_batch_norm", "Float 1", 1, 1}})
                .answer("batch_norm_folded"),
            no);
  EXPECT_EQ(one_case().profile({{"aten::mkldnn_convolution", "Float 1", 1, 1}}).answer("batch_norm_folded"), yes);
  EXPECT_EQ(one_case().profile({{"aten::native_batch_norm", "Float 1", 1, 1}}).answer("batch_norm_folded"), na);

  EXPECT_EQ(one_case()
                .profile({{"aten::mul", "Float 8", 2, 20'000}, {"aten::tanh", "Float 8", 1, 10'000}})
                .answer("chains_fused"),
            no);
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 8", 2, 50'000}}).answer("chains_fused"), yes)
      << "two are not a chain";
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 8", 9, 20'000}}).answer("chains_fused"), yes)
      << "a fifth of the call";
  EXPECT_EQ(one_case().profile({{"aten::mm", "Float 8", 1, 1}}).answer("chains_fused"), na);

  EXPECT_EQ(one_case()
                .profile({{"aten::bmm", "Float 8", 2, 1}, {"aten::_softmax", "Float 8", 1, 1}})
                .answer("attention_fused"),
            no);
  EXPECT_EQ(one_case()
                .profile({{"aten::_scaled_dot_product_flash_attention_for_cpu", "Float 8", 1, 1}})
                .answer("attention_fused"),
            yes);
  EXPECT_EQ(one_case().profile({{"aten::bmm", "Float 8", 2, 1}}).answer("attention_fused"), na);
}

TEST(Advise, DataAndDistribution) {
  EXPECT_EQ(one_case().timed("time", 100).timed("wait", 21).answer("loader_keeps_up"), no);
  EXPECT_EQ(one_case().timed("time", 100).timed("wait", 20).answer("loader_keeps_up"), yes);
  EXPECT_EQ(one_case().timed("time", 100).timed("wait", 90).exact("collective_calls", 1).answer("loader_keeps_up"), na)
      << "there it is the wait for other ranks";

  const auto threads = [](const char* count, const char* cpus) {
    return one_case().fact("intra_op_threads", count).fact("cpu_affinity", cpus).answer("threads_fit");
  };
  EXPECT_EQ(threads("2", "0-1"), yes);
  EXPECT_EQ(threads("3", "0-1"), no);
  EXPECT_EQ(threads("4", "0-1,4,6-7"), yes);
  EXPECT_EQ(threads("1", "all"), na);

  constexpr double ms = 1e6;
  EXPECT_EQ(one_case().timed("time", 100 * ms).timed("rank_spread", 21 * ms).answer("ranks_balanced"), no);
  EXPECT_EQ(one_case().timed("time", 100 * ms).timed("rank_spread", 20 * ms).answer("ranks_balanced"), yes);
  EXPECT_EQ(one_case().timed("time", 10 * ms).timed("rank_spread", 4 * ms).answer("ranks_balanced"), yes)
      << "a time slice: the ranks may share a CPU";

  EXPECT_EQ(one_case().exact("collective_calls", 8).exact("collective_bytes", 8 * 1000).answer("messages_bundled"), no);
  EXPECT_EQ(one_case().exact("collective_calls", 3).exact("collective_bytes", 3000).answer("messages_bundled"), yes);
  EXPECT_EQ(one_case().exact("collective_calls", 8).exact("collective_bytes", 8 * 65536).answer("messages_bundled"),
            yes);
}

TEST(Advise, TheWorstCaseComesFirstAndTheScoreIsThatOfApplicablePractices) {
  Made made;
  made.add("g/one/a").exact("retained_bytes", 10);
  made.add("g/one/b").exact("retained_bytes", 30);
  made.add("g/one/c").exact("retained_bytes", 0).profile({{"aten::addmm", "Float 8x8", 1, 1}});
  const reports::ModelAdvice advice = advise(made.run);
  const AdviceRow& released = advice.rows.front();
  ASSERT_EQ(released.evidence.size(), 2U);
  EXPECT_EQ(released.applicable, 3);
  EXPECT_EQ(released.evidence.front().case_name, "g/one/b");
  EXPECT_DOUBLE_EQ(*advice.score(), 2.0 / 3) << "released no; contiguous_inputs and bias_in_product yes";
}

TEST(Advise, AFailedCaseSaysNothing) {
  Made made = one_case();
  made.exact("retained_bytes", 10);
  made.run.processes.front().cases.front().status = record::CaseStatus::failed;
  EXPECT_EQ(made.answer("released"), na);
}

TEST(Advise, OneDisturbedProcessSaysNothing) {
  Made made = one_case();
  made.timed("time", 100e6).timed("rank_spread", 90e6);
  for (int i = 0; i < 4; ++i) {
    made.run.processes.push_back(made.run.processes.front());
    made.run.processes.back().cases.front().measurements.back().summary->median = 2;
  }
  EXPECT_EQ(made.answer("ranks_balanced"), yes);
}

TEST(Advise, OfPairsTheAfterSideIsJudged) {
  Made made = one_case();
  made.exact("retained_bytes", 10);
  made.run.sides.resize(2);
  made.run.processes.push_back(made.run.processes.front());
  made.run.processes.back().side = 1;
  made.run.processes.back().cases.front().measurements.front().value = 0;
  EXPECT_EQ(made.answer("released"), yes);
}

TEST(Advise, FormatsSayTheSame) {
  Made made = one_case();
  made.exact("retained_bytes", 4096).profile({{"aten::addmm", "Float 8x8", 1, 1}});
  const reports::ModelAdvice advice = advise(made.run);
  EXPECT_EQ(
      reports::model_advice_text(advice),
      "no   released              Calls release what they allocate\n"
      "                           1 of 1 cases\n"
      "                           g/one/v: a call keeps 4096 bytes\n"
      "                           fix: release intermediates, or keep them outside of the call; memory/lifetime shows "
      "what it gains\n"
      "yes  contiguous_inputs, bias_in_product\n"
      "n/a  in_place, gradients_to_none, launches_amortised, not_host_bound, stays_on_device, fast_element_types, "
      "batch_norm_folded, chains_fused, attention_fused, loader_keeps_up, threads_fit, ranks_balanced, "
      "messages_bundled\n"
      "\nscore 67 %: 2 of 3 practices followed, 13 not applicable; run 0123456789abcdef, 1 cases\n");
  const auto json = nlohmann::json::parse(reports::model_advice_json(advice));
  EXPECT_EQ(json.at("practices").size(), 16U);
  EXPECT_EQ(json.at("practices")[0].at("answer"), "no");
  EXPECT_EQ(json.at("practices")[0].at("evidence")[0].at("case"), "g/one/v");
  const std::string markdown = reports::model_advice_markdown(advice);
  EXPECT_NE(markdown.find("| Calls release what they allocate | memory | `g/one/v`: a call keeps 4096 bytes |"),
            std::string::npos)
      << markdown;
}

TEST(FirstElements, AreThoseOfTheFirstTensor) {
  EXPECT_EQ(first_elements({"", "Float 8x64, Float 64x64 strided", 1, 1}), 512);
  EXPECT_EQ(first_elements({"", "Float 7", 1, 1}), 7);
  EXPECT_EQ(first_elements({"", "", 1, 1}), 0);
  EXPECT_EQ(first_elements({"", "Float", 1, 1}), 0);
}

}  // namespace
}  // namespace torchgate::advise
