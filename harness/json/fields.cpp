// SPDX-License-Identifier: Apache-2.0
#include "harness/json/fields.hpp"

#include <algorithm>

#include "harness/base/shown_text.hpp"

namespace torchgate::json {

std::optional<std::size_t> Members::row_of(std::string_view key) {
  std::size_t at = next_;
  std::size_t left = rows_.size();
  for (; left > 0 && rows_[at].key != key; --left) at = at + 1 == rows_.size() ? 0 : at + 1;
  if (left == 0) {
    const std::string_view text = reader_.skip();
    if (unknown_ != nullptr) {
      unknown_->key_of(key);
      unknown_->raw(text);
    }
    return std::nullopt;
  }
  next_ = at + 1 == rows_.size() ? 0 : at + 1;
  if (is_ready(rows_[at])) {
    read_ |= std::uint64_t{1} << at;
    return at;
  }
  passed_over_.push_back({at, reader_.position()});
  reader_.skip();
  return std::nullopt;
}

bool Members::has(std::string_view key) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& each) { return each.key == key; });
  const auto at = static_cast<std::size_t>(row - rows_.begin());
  return row != rows_.end() && (was_read(at) || was_passed_over(at));
}

bool Members::was_passed_over(std::size_t row) const {
  return std::any_of(passed_over_.begin(), passed_over_.end(), [&](const PassedOver& each) { return each.row == row; });
}

bool Members::is_ready(const Row& row) {
  if (!row.waits) return true;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& other = rows_[i];
    if (other.stage >= row.stage || was_read(i)) continue;
    if (other.required || was_passed_over(i)) return false;
    if (!other.referred_to || ((nowhere_ >> i) & 1U) != 0) continue;
    if (reader_.rest_has(base::in_quotes(other.key))) return false;
    nowhere_ |= std::uint64_t{1} << i;
  }
  return true;
}

const std::vector<Members::PassedOver>& Members::passed_over() {
  std::stable_sort(passed_over_.begin(), passed_over_.end(),
                   [&](const auto& a, const auto& b) { return rows_[a.row].stage < rows_[b.row].stage; });
  return passed_over_;
}

void Members::fail_if_missing() {
  for (std::size_t i = 0; i < rows_.size() && !reader_.failed(); ++i) {
    if (!rows_[i].required || was_read(i) || was_passed_over(i)) continue;
    const bool says_what_it_is = rows_[i].stage < 0;
    reader_.fail("missing key " + base::in_quotes(rows_[i].key) +
                 (says_what_it_is ? ": not a file written by torchgate" : ""));
  }
}

void Schema::check(JsonReader& reader) const {
  const std::string is = reader.string();
  if (reader.failed() || is == expected) return;
  const std::string_view family = expected.substr(0, expected.find('/') + 1);
  if (!is_stored) {
    reader.fail("expected " + std::string(expected) + ", found " + base::in_quotes(is));
  } else if (is.starts_with(family)) {
    reader.fail("unsupported schema " + base::in_quotes(is) + ": this version of torchgate reads " +
                std::string(expected) + " only; use the version that wrote it, or a later one");
  } else {
    reader.fail("expected " + base::in_quotes(expected) + ", found " + base::in_quotes(is));
  }
}

}  // namespace torchgate::json
