// SPDX-License-Identifier: Apache-2.0
// A cache that keeps the most recently used items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

namespace torchgate::suites {

/// Keyed by a number: the index of an item, a size. A key made of a whole batch's sorted indices would return the items of a
/// batch in the order of an earlier batch with the same items. Not for several threads.
template <class Item>
class LruCache {
 public:
  /// capacity: number of items that are kept, at least 1.
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  /// The item of that index, made by `load` if it is not in the cache.
  template <class Load>
  Item get(std::size_t index, Load&& load) {
    const auto known = places_.find(index);
    if (known != places_.end()) {
      ++hits_;
      items_.splice(items_.begin(), items_, known->second);
      return items_.front().second;
    }
    items_.emplace_front(index, load(index));
    places_[index] = items_.begin();
    if (items_.size() > capacity_) {
      places_.erase(items_.back().first);
      items_.pop_back();
    }
    return items_.front().second;
  }
  [[nodiscard]] std::int64_t hits() const { return hits_; }

 private:
  using Items = std::list<std::pair<std::size_t, Item>>;  // the most recently used one first

  std::size_t capacity_;
  Items items_;
  std::unordered_map<std::size_t, typename Items::iterator> places_;
  std::int64_t hits_ = 0;
};

}  // namespace torchgate::suites
