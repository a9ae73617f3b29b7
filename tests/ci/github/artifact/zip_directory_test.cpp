// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/zip_directory.hpp"

#include <gtest/gtest.h>

#include "ci/github/artifact/artifact_name.hpp"
#include "tests/ci/github/artifact/made_zip.hpp"

namespace torchgate::github::testing {
namespace {

// "accepted" if nothing is refused.
std::string refusal(const std::string& bytes) {
  const auto entries = read_zip_directory(bytes);
  if (entries) return "accepted";
  EXPECT_EQ(entries.error().code, base::ErrorCode::bad_input);
  return entries.error().message;
}

void refuses(const std::string& bytes, const std::string& message) {
  const std::string said = refusal(bytes);
  EXPECT_NE(said.find(message), std::string::npos) << "expected: " << message << "\nsaid: " << said;
}

TEST(ZipDirectory, TakesWhatStreamingWritersWrite) {
  const auto streamed = [](MadeEntry& e) { e.flags = with_descriptor; };
  const std::string bytes =
      zip_of({but(entry("archiver.json"), streamed),
              but(entry("stored.json"), [&](auto& e) { streamed(e), e.method = 0; }),  // compression-level: 0
              but(entry("empty.json", ""), [&](auto& e) { streamed(e), e.method = 0; }),
              but(entry("utf-8.json"), [](auto& e) { e.flags = with_descriptor | 1U << 11U; }),
              // Python's zipfile for a pipe with force_zip64: sizes in a zip64 field of zeros, and a wide descriptor.
              but(entry("python.json"), [&](auto& e) {
                streamed(e), e.local_size = e.local_packed_size = 0xffffffff;
                e.local_extra = extra(1, number(0, 16));
                e.descriptor = "PK\x07\x08" + number(crc_of(e.content), 4) + number(deflated(e.content).size(), 8) +
                               number(e.content.size(), 8);
              })});
  const auto entries = read_zip_directory(bytes);
  ASSERT_TRUE(entries.ok()) << entries.error().message;
  ASSERT_EQ(entries->size(), 5);
  EXPECT_EQ(entries->at(1).packed, json);
  EXPECT_EQ(entries->at(4).packed, deflated(json));
  EXPECT_EQ(entries->at(4).inflated_bytes, json.size());
}

TEST(ZipDirectory, TakesZip64Records) {
  MadeZip zip;
  zip.entries = {but(entry("run.json"), [](auto& e) {
    e.local_size = e.local_packed_size = e.size = e.packed_size = 0xffffffff;
    const std::string sizes = number(e.content.size(), 8) + number(deflated(e.content).size(), 8);
    e.local_extra = extra(0x5455, "\x03times...") + extra(1, sizes);
    e.central_extra = extra(1, sizes + number(0, 8));  // archiver: also the offset, which is not replaced
  })};
  const std::size_t end = bytes_of(zip).size() - 22;
  const std::size_t directory = 46 + 8 + 28;
  zip.before_end = zip64_end(1, directory, end - directory);
  EXPECT_EQ(refusal(bytes_of(zip)), "accepted");  // as Info-ZIP writes it
  zip.count = 0xffff, zip.directory_bytes = zip.directory_offset = 0xffffffff;
  EXPECT_EQ(refusal(bytes_of(zip)), "accepted");

  const std::string contradicts = "the zip64 end record contradicts the end record";
  zip.count = 2;
  refuses(bytes_of(zip), contradicts);
  zip.count = 1, zip.directory_offset = 7;
  refuses(bytes_of(zip), contradicts);
  zip.directory_offset = 0xffffffff, zip.before_end = zip64_end(1, directory, end - directory - 1);
  refuses(bytes_of(zip), contradicts);
  zip.before_end = zip64_end(1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1);
  refuses(bytes_of(zip), contradicts);
  zip.before_end = zip64_end(std::uint64_t{1} << 40U, directory, end - directory), zip.count = 0xffff;
  refuses(bytes_of(zip), "1099511627776 entries, more than the limit of 200");
  zip.before_end = "PK\x06\x07" + number(0, 4) + number(0, 8) + number(1, 4);
  refuses(bytes_of(zip), "invalid zip64 end record");
}

// What no entry within the limits needs, with each number that its zip64 field may have.
TEST(ZipDirectory, RefusesContradictingZip64Fields) {
  const auto with = [](const std::string& central, std::optional<std::uint32_t> size) {
    return zip_of({but(entry("run.json"), [&](auto& e) {
      e.central_extra = central, e.local_size = e.content.size();
      e.size = size;
    })});
  };
  const std::string contradicts = "entry 1 \"run.json\": its zip64 field contradicts its header";
  refuses(with(extra(1, number(5, 8)), {}), contradicts);
  refuses(with(extra(1, number(1, 8) + number(1, 8) + number(0, 8)), {}), contradicts);
  refuses(with(extra(1, number(json.size(), 4)), 0xffffffff), contradicts);
  refuses(with("", 0xffffffff), contradicts);
  refuses(with(extra(1, number(std::uint64_t{1} << 50U, 8)), 0xffffffff), "declares 1125899906842624 bytes");
  refuses(with(extra(1, number(~std::uint64_t{0}, 8)), 0xffffffff), "declares 18446744073709551615 bytes");
  refuses(with(extra(1, "") + extra(1, ""), {}), "two zip64 fields");
  refuses(with("\x01", {}), "invalid extra field");
  refuses(with(number(9, 2) + number(5, 2) + "1234", {}), "invalid extra field");
  refuses(with(extra(0x7075, "other.json"), {}), "has a second name");
}

TEST(ZipDirectory, RefusesOtherNames) {
  const std::string allowed = "name not allowed in an artifact; only NAME.json";
  for (const char* name : {"",
                           "run",
                           "Run.json",
                           "run.JSON",
                           ".json",
                           ".run.json",
                           "-run.json",
                           "_run.json",
                           "a/run.json",
                           "/run.json",
                           "../run.json",
                           "..",
                           ".",
                           "run/",
                           "a\\run.json",
                           "run.json/",
                           "run .json",
                           "run.json ",
                           "run\n.json",
                           "r\xc3\xbcn.json",
                           "torchgate.toml",
                           "commit.txt",
                           "Commit",
                           "run.samples",
                           "a.json.json",
                           "libx.so",
                           ".git",
                           "c:run.json"}) {
    refuses(zip_of({entry("ok.json"), entry(name)}), allowed);
    EXPECT_FALSE(is_artifact_name(name)) << name;
  }
  refuses(zip_of({entry(std::string("run.json\0x.json", 15))}), allowed);
  refuses(zip_of({entry(std::string(62, 'a') + ".json")}), allowed);
  refuses(zip_of({entry(std::string(63, 'a') + ".samples")}), allowed);
  refuses(zip_of({entry(std::string(64, 'g') + ".samples")}), allowed);
  refuses(zip_of({entry(std::string(60000, 'a'))}), allowed);
  EXPECT_TRUE(is_artifact_name(std::string(61, 'a') + ".json"));
  EXPECT_TRUE(is_artifact_name("0-shard_1.json"));
  EXPECT_TRUE(is_artifact_name(samples_name));
  const std::string said = refusal(zip_of({entry("\x1b[31m\xe2\x80\xae.json")}));
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  EXPECT_EQ(said.find("\xe2\x80\xae"), std::string::npos) << "right-to-left override";
}

TEST(ZipDirectory, RefusesDuplicates) {
  refuses(zip_of({entry("run.json"), entry("commit"), entry("run.json", "{}")}), "duplicate entry \"run.json\"");
  refuses(zip_of({entry("run.json"), entry("RUN.json")}), "entry 2 \"RUN.json\": name not allowed");
}

TEST(ZipDirectory, RefusesWhatIsNotARegularFile) {
  for (const std::uint32_t external : {0120777U << 16U, 0040755U << 16U, 0010644U << 16U, 0020644U << 16U,
                                       0060644U << 16U, 0140644U << 16U, 0x10U, 0x08U, 0x400U, regular_file | 0x10U}) {
    refuses(zip_of({but(entry("run.json"), [&](auto& e) { e.external = external; })}), "not a regular file");
  }
  for (const std::uint32_t external : {0U, 0600U << 16U, regular_file | 0x20U}) {
    EXPECT_EQ(refusal(zip_of({but(entry("run.json"), [&](auto& e) { e.external = external; })})), "accepted");
  }
}

TEST(ZipDirectory, RefusesEncryptionAndOtherMethods) {
  for (const unsigned bit : {0U, 6U, 13U})
    refuses(zip_of({but(entry("run.json"), [&](auto& e) { e.flags = 1U << bit; })}), "entry 1 \"run.json\": encrypted");
  for (const unsigned bit : {4U, 5U, 7U, 12U, 15U})
    refuses(zip_of({but(entry("run.json"), [&](auto& e) { e.flags = 1U << bit; })}), "unsupported flags");
  for (const int method : {1, 9, 12, 14, 93, 95, 98, 99})
    refuses(zip_of({but(entry("run.json"), [&](auto& e) { e.method = static_cast<std::uint16_t>(method); })}),
            "compression method " + std::to_string(method));
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.local_flags = 1; })}), "encrypted");
}

// What a reader of the central directory and one of the local headers would understand differently.
TEST(ZipDirectory, RefusesLocalHeadersThatContradict) {
  const auto with = [](auto change) { return zip_of({but(entry("run.json"), change), entry("commit")}); };
  const std::string numbers =
      "entry \"run.json\": the CRC or size in the local header contradicts the central directory";
  refuses(with([](auto& e) { e.local_name = "sun.json"; }), "the name in the local header contradicts");
  refuses(with([](auto& e) { e.local_name = "../../run.json"; }), "the name in the local header contradicts");
  refuses(with([](auto& e) { e.local_method = 0; }), "the method or the flags in the local header");
  refuses(with([](auto& e) { e.local_flags = with_descriptor; }), "the method or the flags in the local header");
  refuses(with([](auto& e) { e.local_size = 5; }), numbers);
  refuses(with([](auto& e) { e.local_size = 0; }), numbers);
  refuses(with([](auto& e) { e.local_packed_size = 5; }), numbers);
  refuses(with([](auto& e) { e.local_crc = 5; }), numbers);
  refuses(with([](auto& e) { e.flags = with_descriptor, e.local_size = 5; }), numbers);
  refuses(with([](auto& e) { e.local_size = 0xffffffff; }), "zip64 field of the local header");
  const std::string descriptor = "the data descriptor contradicts";
  refuses(with([](auto& e) { e.flags = with_descriptor, e.descriptor = ""; }), descriptor);
  refuses(with([](auto& e) { e.flags = with_descriptor, e.descriptor = "PK\x07\x08" + number(0, 12); }), descriptor);
  refuses(with([](auto& e) { e.flags = with_descriptor, e.descriptor = number(0, 12); }), descriptor);
  refuses(with([](auto& e) { e.flags = with_descriptor, e.after = "x"; }), descriptor);
}

TEST(ZipDirectory, RefusesOverlapsAndUnusedBytes) {
  // Two entries with one content: the central directory names the first one's bytes again.
  refuses(zip_of({entry("a.json"), but(entry("b.json"), [](auto& e) { e.central_only = true, e.offset = 0; })}),
          "no local header, or overlaps another entry");
  // A second entry inside the content of the first (David Fifield's bomb quotes local headers in this way).
  const std::string inner = zip_of({entry("b.json")}).substr(0, 30 + 6 + deflated(json).size());
  refuses(zip_of({but(entry("a.json", "x" + inner), [](auto& e) { e.method = 0; }),
                  but(entry("b.json"), [](auto& e) { e.central_only = true, e.offset = 30 + 6 + 1; })}),
          "entry \"a.json\": overlaps another entry");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.after = "x"; })}), "bytes after its content");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.offset = 1U << 30U; })}), "bytes before the first entry");
  refuses(zip_of({entry("a.json"), but(entry("b.json"), [](auto& e) { e.offset = 0xfffffffe; })}),
          "outside of the file");
  refuses(zip_of({but(entry("run.json"), [](auto& e) { e.comment = "x"; })}), "entry 1: truncated, or with a comment");
  const std::string one = zip_of({entry("run.json")});
  refuses("x" + one, "does not end where the end record begins");
  MadeZip zip;
  zip.entries = {entry("run.json")};
  zip.before = "#!/bin/sh\n";
  refuses(bytes_of(zip), "bytes before the first entry");
  zip.before = "", zip.before_end = "x";
  refuses(bytes_of(zip), "does not end where the end record begins");
  zip.before_end = "", zip.comment = "x";
  refuses(bytes_of(zip), "or with bytes or a comment after its end record");
  zip.comment = one;
  refuses(bytes_of(zip), "does not end where the end record begins");
  zip.comment = "", zip.after_end = "x";
  refuses(bytes_of(zip), "or with bytes or a comment after its end record");
  zip.after_end = one;
  refuses(bytes_of(zip), "does not end where the end record begins");
}

TEST(ZipDirectory, RefusesEveryBeginningAndNeverReadsOutside) {
  const std::string whole =
      zip_of({entry("run.json"), but(entry("commit"), [](auto& e) { e.flags = with_descriptor; })});
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(read_zip_directory(whole.substr(0, size)).ok());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    for (const char byte : {'\0', '\x7f', '\xff'}) changed[at] = byte, (void)read_zip_directory(changed);
  }
}

}  // namespace
}  // namespace torchgate::github::testing
