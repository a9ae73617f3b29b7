// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/toml_limits.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ci/policy/nearest_name.hpp"
#include "ci/policy/policy.hpp"
#include "ci/policy/toml_document.hpp"
#include "ci/policy/waivers.hpp"

namespace torchgate::policy {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string refusal(const std::string& text) {
  const auto parsed = parse_toml(text, "f.toml");
  return parsed ? "none" : parsed.error().message;
}

const std::string many_dots = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r = [[[[[[[[[[[[[[[[[[";
const std::string deep_key = repeated("a.", 300'000) + "b = 1\n";

TEST(TomlLimits, AcceptDotsAndBracketsInStringsAndComments) {
  EXPECT_EQ(refusal("# " + many_dots + "\n[gate]\nlatency = 0.05 # " + many_dots + "\nrule = \"" + many_dots + "\"\n"),
            "none");
  EXPECT_EQ(refusal("a = '''\n" + many_dots + " it's \"\"\" \n'''\n"), "none");
  EXPECT_EQ(refusal("a = \"\"\"\n\\\"\"\" " + many_dots + " \"\"\"\n"), "none");
  EXPECT_EQ(refusal("[[case]]\nmatch = 'a\\'\nmetrics = { cpu_time = \"fail\" }\nx.y.z = 1.5\n"), "none");
}

// Each of these is a level of recursion per part.
TEST(TomlLimits, RefuseDepth) {
  EXPECT_EQ(refusal("[gate]\n" + deep_key), "f.toml:2: key with more than 16 parts");
  EXPECT_EQ(refusal("[" + repeated("a.", 300'000) + "b]\n"), "f.toml:1: key with more than 16 parts");
  EXPECT_EQ(refusal("x = 1\n\n" + repeated("\"a\" . ", 100'000) + "b = 1\n"), "f.toml:3: key with more than 16 parts");
  EXPECT_EQ(refusal("x = " + repeated("[\n", 300'000)), "f.toml:17: more than 16 levels of nesting");
  EXPECT_EQ(refusal("x = " + repeated("{a=", 100'000)), "f.toml:1: more than 16 levels of nesting");
  // As deep as the limits let it be.
  std::string deepest = "[" + repeated("a.", 15) + "b]\n";
  for (int i = 0; i < 15; ++i) deepest += repeated("a.", 15) + "b = {";
  deepest += "c = 1" + std::string(15, '}') + "\n";
  EXPECT_EQ(refusal(deepest), "none");
}

// A string whose end the two readers see in different places must not hide depth from the first.
TEST(TomlLimits, SeeDepthBehindStrings) {
  for (const char* value : {"\"", "\"\"", "''", "'", "\"\"\"\"\"\"", "\"\"\"\"\"\"\"\"", "\"\"\"a\"\"\"\"",
                            "\"\"\"a\"\"\"\"\"", "'''a''''", "'''a'''''", "\"a\\", "\"\\\"", "1 # \"", "'''''''"}) {
    EXPECT_NE(refusal("x = " + std::string(value) + "\n" + deep_key), "none") << value;
    EXPECT_NE(refusal("x = " + std::string(value) + "\r\n" + deep_key), "none") << value;
  }
}

TEST(TomlLimits, RefuseSizes) {
  EXPECT_EQ(refusal("x = '" + std::string(1U << 20U, 'a') + "'\n"),
            "f.toml:1: file larger than the limit of 1048576 bytes");
  EXPECT_NE(refusal("x = [" + repeated("1,", 100'001) + "]\n").find("more than 100000 values"), std::string::npos);
  EXPECT_NE(refusal(std::string(5000, 'a') + " = 1\n").find("word longer than the limit of 4096 bytes"),
            std::string::npos);
  EXPECT_NE(refusal("x = '" + std::string(70'000, 'a') + "'\n").find("string longer than the limit of 65536 bytes"),
            std::string::npos);
}

TEST(TomlLimits, RefuseManyTables) {
  Policy policy;
  const auto rules = apply_policy_text(policy, repeated("[[case]]\nmatch = 'a'\n", 257), "f.toml");
  ASSERT_FALSE(rules.ok());
  EXPECT_EQ(rules.error().message, "f.toml:513: more than 256 [[case]] tables; use patterns that match more cases");
  const auto waivers = parse_waivers(repeated("[[waiver]]\n", 1001), "w.toml");
  ASSERT_FALSE(waivers.ok());
  EXPECT_EQ(waivers.error().message, "w.toml:1001: more than 1000 waivers; remove expired ones");
}

TEST(NearestName, OfLongNamesComparesTheirBeginnings) {
  const std::string tail(50'000, 'x');
  std::set<std::string> known{"near" + tail};
  for (int i = 0; i < 20; ++i) known.insert(std::to_string(i) + tail);
  EXPECT_EQ(nearest_names("neer" + tail, known, 1).front().substr(0, 4), "near");
}

}  // namespace
}  // namespace torchgate::policy
