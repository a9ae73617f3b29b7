// SPDX-License-Identifier: Apache-2.0
#include "harness/base/content_hash.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <new>
#include <vector>

#include "harness/base/regular_file.hpp"

namespace torchgate::base {
namespace {

// Large enough that the hash, not the system call, takes the time; small beside a process.
constexpr std::size_t hashed_piece_bytes = 1U << 20U;

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    must(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(const void* bytes, std::size_t count) { must(EVP_DigestUpdate(context_.get(), bytes, count) == 1); }

  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int length = 0;
    must(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
      text += digits[digest[i] >> 4U];
      text += digits[digest[i] & 0xFU];
    }
    return text;
  }

 private:
  // SHA-256 is built into OpenSSL: memory is all it can lack.
  static void must(bool done) {
    if (!done) throw std::bad_alloc();
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  const auto file = open_regular(path, Links::followed);
  if (!file) return file.error();
  return sha256_of_descriptor(file->descriptor(), path);
}

Result<std::string> sha256_of_descriptor(int descriptor, const std::filesystem::path& path) {
  Sha256 hash;
  std::vector<char> piece(hashed_piece_bytes);
  for (off_t position = 0;;) {
    const ssize_t count = ::pread(descriptor, piece.data(), piece.size(), position);
    if (count == 0) return hash.hex();
    if (count > 0) {
      hash.add(piece.data(), static_cast<std::size_t>(count));
      position += count;
    } else if (errno != EINTR) {
      return system_error(path, "read it", errno);
    }
  }
}

}  // namespace torchgate::base
