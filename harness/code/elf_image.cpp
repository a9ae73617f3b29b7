// SPDX-License-Identifier: Apache-2.0
// The format: System V ABI, "Object Files", and its supplement for AMD64.
#include "harness/code/elf_image.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "harness/base/atomic_file.hpp"

namespace torchgate::code {

namespace {

/// What a LibTorch with all of CUDA does not reach.
constexpr std::int64_t largest_file_bytes = std::int64_t{1} << 30;

/// Of kinds that elf.h of Debian 12 has no names for: SHT_RELR, SHT_ANDROID_REL, SHT_ANDROID_RELA.
constexpr std::uint32_t packed_relocations = 19;
constexpr std::uint32_t android_rel = 0x60000001;
constexpr std::uint32_t android_rela = 0x60000002;

constexpr bool is_thread_local(std::uint32_t type) {
  return type == R_X86_64_DTPMOD64 || type == R_X86_64_DTPOFF64 || type == R_X86_64_TPOFF64 || type == R_X86_64_TLSDESC;
}

}  // namespace

class ElfImage::Reader {
 public:
  Reader(ElfImage& image, std::span<const std::uint8_t> file, std::string where)
      : image_(image), file_(file), where_(std::move(where)) {}

  base::Result<void> read() {
    const auto* const header = at<Elf64_Ehdr>(0);
    if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return bad("not an ELF file");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_X86_64)
      return bad("not for 64-bit x86");
    if (header->e_type != ET_DYN)
      return bad("it is not position-independent; build it with -fPIE -pie, a library with -fPIC");
    if (header->e_shentsize != sizeof(Elf64_Shdr)) return bad("it has no sections");
    headers_ = array<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    if (headers_.empty() || header->e_shstrndx >= headers_.size()) return bad("its sections lie outside of the file");
    names_ = content_of(headers_[header->e_shstrndx]);
    read_sections();
    read_symbols();
    return read_relocations();
  }

 private:
  [[nodiscard]] base::Error bad(const std::string& what) const {
    return {base::ErrorCode::bad_input, where_ + ": " + what};
  }

  template <class T>
  [[nodiscard]] const T* at(std::uint64_t offset) const {
    const auto found = array<T>(offset, 1);
    return found.empty() ? nullptr : found.data();
  }

  /// Empty where it does not lie within the file, or is not aligned.
  template <class T>
  [[nodiscard]] std::span<const T> array(std::uint64_t offset, std::uint64_t count) const {
    if (offset > file_.size() || count > (file_.size() - offset) / sizeof(T) || offset % alignof(T) != 0) return {};
    return {reinterpret_cast<const T*>(file_.data() + offset), static_cast<std::size_t>(count)};
  }

  [[nodiscard]] std::span<const std::uint8_t> content_of(const Elf64_Shdr& header) const {
    if (header.sh_type == SHT_NOBITS) return {};
    return array<std::uint8_t>(header.sh_offset, header.sh_size);
  }

  static std::string_view text_at(std::span<const std::uint8_t> texts, std::uint64_t offset) {
    if (offset >= texts.size()) return {};
    const auto rest = texts.subspan(static_cast<std::size_t>(offset));
    const auto end = std::find(rest.begin(), rest.end(), 0);
    return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
  }

  void read_sections() {
    for (const Elf64_Shdr& header : headers_) {
      if ((header.sh_flags & SHF_ALLOC) == 0) continue;
      if ((header.sh_flags & SHF_TLS) != 0) {
        if (header.sh_type != SHT_NOBITS)
          image_.thread_local_.push_back(
              {text_at(names_, header.sh_name), header.sh_addr, header.sh_size, false, true, content_of(header)});
        continue;
      }
      image_.sections_.push_back({text_at(names_, header.sh_name), header.sh_addr, header.sh_size,
                                  (header.sh_flags & SHF_EXECINSTR) != 0, (header.sh_flags & SHF_WRITE) != 0,
                                  content_of(header)});
    }
    std::sort(image_.sections_.begin(), image_.sections_.end(),
              [](const Section& a, const Section& b) { return a.address < b.address; });
  }

  [[nodiscard]] const Elf64_Shdr* section_of_type(std::uint32_t type) const {
    const auto found = std::find_if(headers_.begin(), headers_.end(),
                                    [&](const Elf64_Shdr& header) { return header.sh_type == type; });
    return found == headers_.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::span<const Elf64_Sym> symbols_of(const Elf64_Shdr& table) const {
    return array<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym));
  }

  [[nodiscard]] std::span<const std::uint8_t> linked(const Elf64_Shdr& header) const {
    return header.sh_link < headers_.size() ? content_of(headers_[header.sh_link]) : std::span<const std::uint8_t>{};
  }

  // Not more than its section has.
  [[nodiscard]] std::uint64_t bytes_of(const Elf64_Sym& symbol) const {
    if (symbol.st_shndx >= headers_.size()) return symbol.st_size;
    const Elf64_Shdr& section = headers_[symbol.st_shndx];
    const std::uint64_t offset = symbol.st_value - section.sh_addr;
    return offset > section.sh_size ? 0 : std::min(symbol.st_size, section.sh_size - offset);
  }

  // mold gives names to entries of the linkage table and to slots.
  [[nodiscard]] bool is_of_linker(std::uint16_t section) const {
    if (section >= headers_.size()) return false;
    const std::string_view name = text_at(names_, headers_[section].sh_name);
    return name.starts_with(".plt") || name.starts_with(".got");
  }

  void read_symbols() {
    const Elf64_Shdr* table = section_of_type(SHT_SYMTAB);
    image_.stripped_ = table == nullptr;
    if (table == nullptr) table = section_of_type(SHT_DYNSYM);
    if (table == nullptr) return;
    const auto names = linked(*table);
    std::string_view file;
    std::map<std::string_view, std::uint32_t> files;
    for (const Elf64_Sym& symbol : symbols_of(*table)) {
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      const std::string_view name = text_at(names, symbol.st_name);
      if (type == STT_FILE) {
        file = name;
        ++files[file];
      }
      if (type == STT_TLS && symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
        image_.thread_local_names_.push_back(name);
      const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
      if (symbol.st_shndx == SHN_UNDEF || (!function && type != STT_OBJECT) || is_of_linker(symbol.st_shndx)) continue;
      const bool local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL;
      image_.symbols_.push_back({name, local ? file : std::string_view(), local ? files[file] : 0, symbol.st_value,
                                 bytes_of(symbol), function ? SymbolKind::function : SymbolKind::object});
    }
    auto& symbols = image_.symbols_;
    std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
      return std::tie(a.address, b.bytes, a.name, a.file, a.file_number) <
             std::tie(b.address, a.bytes, b.name, b.file, b.file_number);
    });
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      end = std::max(end, symbols[i].address + symbols[i].bytes);
      image_.ends_.push_back(end);
      image_.names_.emplace(symbols[i].name, i);
    }
    rank_symbols();
  }

  void rank_symbols() {
    const auto& symbols = image_.symbols_;
    std::vector<std::uint32_t> local;
    for (std::uint32_t i = 0; i < symbols.size(); ++i)
      if (!symbols[i].file.empty()) local.push_back(i);
    const auto name_of = [&](std::uint32_t i) { return std::tie(symbols[i].name, symbols[i].file, symbols[i].kind); };
    std::sort(local.begin(), local.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (const auto one = name_of(a), other = name_of(b); one != other) return one < other;
      return std::tie(symbols[a].file_number, symbols[a].address) <
             std::tie(symbols[b].file_number, symbols[b].address);
    });
    image_.ranks_.resize(symbols.size());
    for (std::size_t i = 1; i < local.size(); ++i)
      if (name_of(local[i]) == name_of(local[i - 1])) image_.ranks_[local[i]] = image_.ranks_[local[i - 1]] + 1;
  }

  base::Result<void> read_relocations() {
    for (const Elf64_Shdr& header : headers_) {
      if ((header.sh_flags & SHF_ALLOC) == 0) continue;
      if (header.sh_type == SHT_REL || header.sh_type == android_rel || header.sh_type == android_rela)
        return bad("its relocations are of a kind that is not known; link it without --pack-dyn-relocs=android");
      if (header.sh_type == packed_relocations) read_packed_relocations(header);
      if (header.sh_type != SHT_RELA || header.sh_link >= headers_.size()) continue;
      const auto symbols = symbols_of(headers_[header.sh_link]);
      const auto names = linked(headers_[header.sh_link]);
      for (const Elf64_Rela& entry : array<Elf64_Rela>(header.sh_offset, header.sh_size / sizeof(Elf64_Rela))) {
        const std::uint64_t index = ELF64_R_SYM(entry.r_info);
        Relocation relocation;
        relocation.addend = static_cast<std::uint64_t>(entry.r_addend);
        relocation.type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info));
        relocation.thread_local_variable = is_thread_local(relocation.type);
        if (index != 0 && index < symbols.size()) relocation.symbol = text_at(names, symbols[index].st_name);
        image_.relocations_.emplace(entry.r_offset, relocation);
      }
    }
    for (const auto& [address, relocation] : image_.relocations_) image_.relocated_.push_back(address);
    std::sort(image_.relocated_.begin(), image_.relocated_.end());
    return {};
  }

  // SHT_RELR: an even entry is an address, an odd one a bit for each of the 63 words behind it. What is added stands in the file.
  void read_packed_relocations(const Elf64_Shdr& header) {
    constexpr std::uint64_t word_bytes = 8;
    constexpr unsigned words_of_bits = 63;
    const auto add = [&](std::uint64_t address) {
      const auto content = image_.content_at(address);
      if (content.size() < word_bytes) return;
      Relocation relocation;
      relocation.type = R_X86_64_RELATIVE;
      std::memcpy(&relocation.addend, content.data(), word_bytes);
      image_.relocations_.emplace(address, relocation);
    };
    std::uint64_t next = 0;
    for (const std::uint64_t entry : array<std::uint64_t>(header.sh_offset, header.sh_size / word_bytes)) {
      if ((entry & 1) == 0) {
        add(entry);
        next = entry + word_bytes;
        continue;
      }
      for (unsigned bit = 0; bit < words_of_bits; ++bit)
        if ((entry >> (bit + 1) & 1) != 0) add(next + bit * word_bytes);
      next += words_of_bits * word_bytes;
    }
  }

  ElfImage& image_;
  std::span<const std::uint8_t> file_;
  std::string where_;
  std::span<const Elf64_Shdr> headers_;
  std::span<const std::uint8_t> names_;
};

// Read, not mapped: a file that a build replaces meanwhile would end the process.
base::Result<ElfImage> ElfImage::open(const std::filesystem::path& file) {
  auto content = base::read_file(file, largest_file_bytes);
  if (!content) return content.error();
  ElfImage image;
  image.content_ = std::make_shared<const std::string>(*std::move(content));
  const std::span<const std::uint8_t> all(reinterpret_cast<const std::uint8_t*>(image.content_->data()),
                                          image.content_->size());
  if (auto read = Reader(image, all, file.string()).read(); !read) return read.error();
  return image;
}

const Section* ElfImage::section_at(std::uint64_t address) const {
  auto after = std::upper_bound(sections_.begin(), sections_.end(), address,
                                [](std::uint64_t a, const Section& section) { return a < section.address; });
  while (after != sections_.begin()) {
    --after;
    if (address - after->address < after->bytes) return &*after;
    if (after->bytes > 0) break;
  }
  return nullptr;
}

std::span<const std::uint8_t> ElfImage::content_at(std::uint64_t address) const {
  const Section* const section = section_at(address);
  if (section == nullptr) return {};
  const std::uint64_t offset = address - section->address;
  if (offset >= section->content.size()) return {};
  return section->content.subspan(static_cast<std::size_t>(offset));
}

// Backwards while an earlier symbol may still reach the address; the innermost one is met first.
const Symbol* ElfImage::symbol_at(std::uint64_t address) const {
  const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                      [](std::uint64_t a, const Symbol& symbol) { return a < symbol.address; });
  const Symbol* found = nullptr;
  for (auto i = static_cast<std::size_t>(after - symbols_.begin()); i > 0 && ends_[i - 1] > address; --i) {
    const Symbol& symbol = symbols_[i - 1];
    if (found != nullptr && symbol.address != found->address) break;
    // Of several names for one place: the same one in every file that has them.
    if (address - symbol.address < symbol.bytes) found = &symbol;
  }
  if (found != nullptr) return found;
  // One without a size is at its address only.
  for (auto i = static_cast<std::size_t>(after - symbols_.begin()); i > 0 && symbols_[i - 1].address == address; --i)
    if (symbols_[i - 1].bytes == 0) found = &symbols_[i - 1];
  return found;
}

std::vector<const Symbol*> ElfImage::named(std::string_view name, SymbolKind kind) const {
  std::vector<const Symbol*> found;
  const auto [begin, end] = names_.equal_range(name);
  for (auto each = begin; each != end; ++each)
    if (symbols_[each->second].kind == kind) found.push_back(&symbols_[each->second]);
  std::sort(found.begin(), found.end(), [](const Symbol* a, const Symbol* b) {
    return std::tie(a->file, a->file_number, a->address) < std::tie(b->file, b->file_number, b->address);
  });
  return found;
}

const Symbol* ElfImage::symbol_after(std::uint64_t address) const {
  const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                      [](std::uint64_t a, const Symbol& symbol) { return a < symbol.address; });
  return after == symbols_.end() ? nullptr : &*after;
}

std::uint64_t ElfImage::end_of(const Symbol& symbol) const {
  if (symbol.bytes > 0) return symbol.address + symbol.bytes;
  const Section* const section = section_at(symbol.address);
  std::uint64_t end = section == nullptr ? symbol.address : section->address + section->bytes;
  const Symbol* const after = symbol_after(symbol.address);
  return after == nullptr ? end : std::min(end, after->address);
}

std::span<const std::uint64_t> ElfImage::relocated(std::uint64_t begin, std::uint64_t end) const {
  const auto first = std::lower_bound(relocated_.begin(), relocated_.end(), begin);
  return {first, std::lower_bound(first, relocated_.end(), std::max(begin, end))};
}

const Relocation* ElfImage::relocation_at(std::uint64_t address) const {
  const auto found = relocations_.find(address);
  return found == relocations_.end() ? nullptr : &found->second;
}

}  // namespace torchgate::code
