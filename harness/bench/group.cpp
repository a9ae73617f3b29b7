// SPDX-License-Identifier: Apache-2.0
// What the author of a group declares. Its cases and claims are made in group_cases.cpp.
#include "harness/bench/group.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/bench/sampling/sampler.hpp"

namespace torchgate::bench {

Group::Group(std::string name) : name_(std::move(name)) {
  const auto slash = name_.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == name_.size() ||
      name_.find('/', slash + 1) != std::string::npos) {
    mistake("invalid group name; use \"suite/group\"");
  }
  suite_ = name_.substr(0, slash);
}

Group& Group::axis(std::string name, std::initializer_list<int> numbers) {
  std::vector<AxisValue> values;
  for (const int number : numbers) values.emplace_back(std::int64_t{number});
  axes_.emplace_back(std::move(name), std::move(values));
  return *this;
}

Group& Group::axis(std::string name, std::initializer_list<const char*> words) {
  std::vector<AxisValue> values;
  for (const char* word : words) values.emplace_back(std::string(word));
  axes_.emplace_back(std::move(name), std::move(values));
  return *this;
}

Group& Group::devices() {
  return axis("device", {"cpu", "cuda"});
}

Group& Group::items(const std::string& axis) {
  return items([axis](const Args& args) { return static_cast<double>(args.number(axis)); });
}

Group& Group::items(std::function<double(const Args&)> per_call) {
  items_ = std::move(per_call);
  return *this;
}

Group& Group::bytes(std::function<double(const Args&)> per_call) {
  bytes_ = std::move(per_call);
  return *this;
}

Group& Group::training() {
  training_ = true;
  return *this;
}

Group& Group::ranks(int count) {
  if (count < 2)
    return mistake("ranks(): invalid number; use at least 2 (without ranks() a case is measured by one process)");
  ranks_ = count;
  return *this;
}

Group& Group::measures(const OwnMetric& metric) {
  (variants_.empty() ? metrics_ : variants_.back().metrics).push_back(metric);
  return *this;
}

Group& Group::phases(std::initializer_list<const char*> names) {
  for (const char* name : names) measures(ns(name));
  return *this;
}

Group& Group::gates(std::string metric) {
  (variants_.empty() ? gated_ : variants_.back().gated).push_back(std::move(metric));
  return *this;
}

Group& Group::quick(const Where& where) {
  if (where.selection.empty()) return mistake("quick() selects no axis value; name one, or omit it");
  (variants_.empty() ? quick_ : variants_.back().quick).push_back(where.selection);
  return *this;
}

Group& Group::only_in(const std::string& profile, const Where& where) {
  if (profile != "full") return mistake("only_in(\"" + profile + "\"): unknown profile; use \"full\"");
  return leave_out("only_in", "default", where);
}

Group& Group::not_in(const std::string& profile, const Where& where) {
  if (profile != "quick") return mistake("not_in(\"" + profile + "\"): unknown profile; use \"quick\"");
  return leave_out("not_in", profile, where);
}

Group& Group::leave_out(const std::string& modifier, std::string by, const Where& where) {
  if (!variants_.empty() && variants_.back().is_reference && where.selection.empty()) {
    return mistake(
        modifier +
        "(): not possible for the whole reference, which the variants need; put it before the first variant");
  }
  (variants_.empty() ? left_out_by_profile_ : variants_.back().left_out).push_back({std::move(by), where.selection});
  return *this;
}

Group& Group::samples(int number) {
  if (number < fewest_samples)
    return mistake("samples(" + std::to_string(number) + "): at least " + std::to_string(fewest_samples) +
                   " are needed");
  (variants_.empty() ? samples_ : variants_.back().samples) = number;
  return *this;
}

Group& Group::cold(int launches) {
  if (!variants_.empty()) return mistake("cold() must come before the first variant");
  if (launches < 1) return mistake("cold(" + std::to_string(launches) + "): use at least 1 launch");
  cold_launches_ = launches;
  return *this;
}

Group& Group::artefact(std::string file_name) {
  if (file_name.empty() || file_name.front() == '.' || file_name.find('/') != std::string::npos)
    return mistake("artefact(\"" + file_name + "\"): give the name of a file, without a folder");
  (variants_.empty() ? artefacts_ : variants_.back().artefacts).push_back(std::move(file_name));
  return *this;
}

Group& Group::environment(std::string name, std::string value) {
  if (name.empty() || name.find('=') != std::string::npos)
    return mistake("environment(\"" + name + "\"): invalid name of a variable");
  if (name.starts_with("TORCHGATE_")) return mistake("environment(\"" + name + "\"): the harness sets it; use another");
  std::vector<record::Parameter>& variables = own_process_above().environment;
  if (std::any_of(variables.begin(), variables.end(), [&](const auto& other) { return other.name == name; }))
    return mistake("environment(): duplicate variable " + name);
  variables.push_back({std::move(name), std::move(value)});
  return *this;
}

Group& Group::threads(int count) {
  if (count < 1) return mistake("threads(" + std::to_string(count) + "): use at least 1");
  own_process_above().threads = count;
  return *this;
}

Group& Group::cpus(int count) {
  if (count < 1) return mistake("cpus(" + std::to_string(count) + "): use at least 1");
  own_process_above().cpus = count;
  return *this;
}

Group& Group::graphs() {
  (variants_.empty() ? graphs_ : variants_.back().graphs) = true;
  return *this;
}

Group& Group::without(std::string metric) {
  if (!variants_.empty()) return mistake("without() must come before the first variant");
  left_out_.push_back(std::move(metric));
  return *this;
}

Group& Group::add(Variant variant) {
  for (const Variant& other : variants_) {
    if (other.name == variant.name) return mistake("duplicate variant \"" + variant.name + "\"; rename one");
  }
  if (!variant.factory) return mistake("variant \"" + variant.name + "\": missing factory");
  const double tolerance = variant.tolerance.relative_l2;
  if (!(tolerance >= 0) || !std::isfinite(tolerance)) {
    return mistake("variant \"" + variant.name + "\": invalid tolerance; it must be a number of at least 0");
  }
  variants_.push_back(std::move(variant));
  return *this;
}

Group& Group::reference(std::string name, Factory factory) {
  if (!variants_.empty()) return mistake("reference(): there can be only one, and it must be the first variant");
  Variant variant;
  variant.name = std::move(name);
  variant.factory = std::move(factory);
  variant.is_reference = true;
  return add(std::move(variant));
}

Group& Group::variant(std::string name, Factory factory, Tolerance tolerance) {
  if (variants_.empty() || !variants_.front().is_reference) {
    return mistake("variant \"" + name + "\": missing reference before it; without one, use sweep()");
  }
  Variant variant;
  variant.name = std::move(name);
  variant.factory = std::move(factory);
  variant.tolerance = tolerance;
  return add(std::move(variant));
}

Group& Group::sweep(std::string name, Factory factory) {
  if (!variants_.empty() && variants_.front().is_reference) {
    return mistake("sweep(): not possible in a group with a reference; use variant()");
  }
  Variant variant;
  variant.name = std::move(name);
  variant.factory = std::move(factory);
  return add(std::move(variant));
}

Variant* Group::current(const char* modifier) {
  if (!variants_.empty()) return &variants_.back();
  mistake(std::string(modifier) + "() must come before the first variant");
  return nullptr;
}

Group& Group::mistake(const std::string& what) {
  if (mistake_.empty()) mistake_ = name_ + ": " + what;
  return *this;
}

Group& Group::needs(std::string requirement, const Where& where) {
  (variants_.empty() ? needs_ : variants_.back().needs).push_back({std::move(requirement), {}, where.selection});
  return *this;
}

Group& Group::needs(std::string name, Requirement test) {
  (variants_.empty() ? needs_ : variants_.back().needs).push_back({std::move(name), std::move(test), {}});
  return *this;
}

Group& Group::only(const Where& where) {
  Variant* variant = current("only");
  if (variant == nullptr) return *this;
  if (variant->is_reference) return mistake("only(): not possible for the reference, which the variants need");
  variant->only.push_back(where.selection);
  return *this;
}

// The variant that checks() belongs to; null, after a mistake, if a check would never be called there.
Variant* Group::checkable(bool has_function) {
  Variant* variant = current("checks");
  if (variant == nullptr) return nullptr;
  const auto refuse = [&](const std::string& problem) {
    mistake(variant->name + ": checks() " + problem);
    return nullptr;
  };
  if (variant->is_reference)
    return refuse("is not possible on the reference; put it on the variants, whose outputs are compared with it");
  if (!has_function) return refuse("has no function; pass one, or remove checks()");
  if (variant->check || variant->sweep_check) return refuse("is a duplicate; put both checks into one function");
  return variant;
}

Group& Group::checks(CheckFunction check) {
  Variant* variant = checkable(static_cast<bool>(check));
  if (variant == nullptr) return *this;
  if (!variants_.front().is_reference)
    return mistake(variant->name +
                   ": checks() takes two outputs, but a sweep has no reference; pass a function of one output");
  variant->check = std::move(check);
  return *this;
}

Group& Group::checks(SweepCheckFunction check) {
  Variant* variant = checkable(static_cast<bool>(check));
  if (variant == nullptr) return *this;
  if (variants_.front().is_reference)
    return mistake(variant->name +
                   ": checks() takes one output, but a variant has a reference; pass a function of two outputs, the "
                   "reference's and its own");
  variant->sweep_check = std::move(check);
  return *this;
}

Group& Group::proves(Expectation expectation, const Where& where) {
  if (Variant* variant = current("proves")) variant->expectations.emplace_back(std::move(expectation), where.selection);
  return *this;
}

Group& Group::claims(Promise promise, const Where& where) {
  Variant* variant = current("claims");
  if (variant == nullptr) return *this;
  if (!promise.mistake.empty()) return mistake(variant->name + ": " + promise.mistake);
  const Scaled& bound = promise.bound;
  const bool against_reference = !promise.limit && !bound.own && !bound.variant && bound.where.empty();
  if (against_reference && (variant->is_reference || !variants_.front().is_reference)) {
    return mistake(variant->name + ": only a variant can be compared with reference(); use case_with() in a sweep");
  }
  variant->promises.emplace_back(std::move(promise), where.selection);
  return *this;
}

namespace {
std::vector<Group>& groups() {
  static std::vector<Group> all;
  return all;
}
}  // namespace

const std::vector<Group>& registered_groups() {
  return groups();
}

void check_groups(const std::string& suite, const std::vector<Group>& all) {
  if (all.empty()) {
    throw std::logic_error(
        "no TORCHGATE_GROUP in this program; if it is in a static library, link its object file (the linker "
        "drops it otherwise)");
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].suite() != suite) {
      throw std::logic_error("group \"" + all[i].name() + "\" does not belong to suite \"" + suite + "\"; name it \"" +
                             suite + "/...\"");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (all[j].name() == all[i].name())
        throw std::logic_error("duplicate group \"" + all[i].name() + "\"; rename one");
    }
  }
}

Registration::Registration(const Group& group) {
  groups().push_back(group);
}

}  // namespace torchgate::bench
