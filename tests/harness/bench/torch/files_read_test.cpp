// SPDX-License-Identifier: Apache-2.0
// What LibTorch itself opens for reading is seen: its libraries call the definitions of the executable.
#include <gtest/gtest.h>
#include <torch/script.h>

#include <algorithm>
#include <filesystem>

#include "harness/bench/files/interposed.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "torch/torch.h"

namespace {

using namespace torchgate;

bool was_read(const std::filesystem::path& path) {
  std::string unknown;
  const auto inputs = bench::read_log().inputs(unknown);
  return std::find(inputs.begin(), inputs.end(), path.string()) != inputs.end();
}

TEST(FilesReadByLibTorch, AreSeen) {
  const base::testing::TemporaryFolder folder;
  ASSERT_TRUE(bench::is_interposed());

  torch::save(torch::ones({2}), (folder / "made.pt").string());
  std::filesystem::rename(folder / "made.pt", folder / "tensor.pt");
  torch::Tensor tensor;
  torch::load(tensor, (folder / "tensor.pt").string());
  EXPECT_EQ(tensor.sum().item<float>(), 2);
  EXPECT_TRUE(was_read(folder / "tensor.pt"));
  EXPECT_FALSE(was_read(folder / "made.pt"));

  torch::jit::Module script("script");
  script.define("def forward(self, x):\n  return x + 1\n");
  script.save((folder / "made.ts").string());
  std::filesystem::rename(folder / "made.ts", folder / "script.ts");
  torch::jit::load((folder / "script.ts").string());
  EXPECT_TRUE(was_read(folder / "script.ts"));
}

}  // namespace
