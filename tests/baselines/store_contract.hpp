// SPDX-License-Identifier: Apache-2.0
// What every implementation of Store must do, in store_contract.cpp. An implementation is put under it by
//
//   INSTANTIATE_TEST_SUITE_P(Folder, StoreContract, testing::Values(StoreUnderTest{...}), store_name);
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "baselines/store.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {

struct StoreUnderTest {
  std::string name;
  /// Opens the one store of this test, made on the first call. SCRATCH is a folder of the test's own; a store that is not
  /// a folder derives a name from it.
  std::function<std::unique_ptr<Store>(const std::filesystem::path& scratch)> open;
};

/// Otherwise a test's listing would show the bytes of the parameter.
inline void PrintTo(const StoreUnderTest& store, std::ostream* out) {
  *out << store.name;
}

inline std::string store_name(const ::testing::TestParamInfo<StoreUnderTest>& info) {
  return info.param.name;
}

class StoreContract : public ::testing::TestWithParam<StoreUnderTest> {
 protected:
  std::unique_ptr<Store> open() { return GetParam().open(scratch_.path()); }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return scratch_.path() / "files" / name; }

 private:
  base::testing::TemporaryFolder scratch_;
};

}  // namespace torchgate::baselines::testing
