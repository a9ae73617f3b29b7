// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/inflate_entry.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <memory>

#include "ci/github/artifact/zip_fields.hpp"

namespace torchgate::github {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10U;
constexpr int raw_deflate = -MAX_WBITS;  // without zlib's own header, as zip files have it

// Counts and sums what SINK takes.
struct Counted {
  const ZipEntry& entry;
  const PieceSink& sink;
  std::uint64_t bytes = 0;
  uLong crc = crc32(0, nullptr, 0);

  base::Result<void> take(std::string_view piece) {
    if (piece.size() > entry.inflated_bytes - bytes)
      return refused(fmt::format("inflates to more than the {} bytes that it declares", entry.inflated_bytes));
    bytes += piece.size();
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    return sink(piece);
  }

  [[nodiscard]] base::Result<void> check() const {
    if (bytes != entry.inflated_bytes)
      return refused(fmt::format("inflates to {} bytes, but declares {}", bytes, entry.inflated_bytes));
    if (crc != entry.crc) return refused("its content does not match its CRC");
    return {};
  }
};

base::Result<void> inflate_all(z_stream& stream, Counted& counted) {
  std::array<char, piece_bytes> piece{};
  for (int code = Z_OK; code != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece_bytes;
    // Z_BUF_ERROR, no progress: the compressed bytes end too early. Every other call makes progress, so this loop ends.
    code = inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END) return refused("invalid or truncated compressed content");
    if (auto taken = counted.take({piece.data(), piece_bytes - stream.avail_out}); !taken) return taken.error();
  }
  if (stream.avail_in != 0) return refused("bytes after the end of its compressed content");
  return {};
}

base::Result<void> inflate_deflated(Counted& counted) {
  z_stream stream{};
  // zlib does not write to its input, and a size fits: the whole file is at most max_artifact_bytes.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(counted.entry.packed.data()));
  stream.avail_in = static_cast<uInt>(counted.entry.packed.size());
  if (inflateInit2(&stream, raw_deflate) != Z_OK) return base::Error{base::ErrorCode::io, "zlib: not enough memory"};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, &inflateEnd);
  return inflate_all(stream, counted);
}

}  // namespace

base::Result<void> inflate_entry(const ZipEntry& entry, const PieceSink& sink) {
  Counted counted{entry, sink};
  auto done = entry.method == ZipMethod::deflated ? inflate_deflated(counted) : counted.take(entry.packed);
  if (!done) return done;
  return counted.check();
}

}  // namespace torchgate::github
