// SPDX-License-Identifier: Apache-2.0
// Keeps what the author of a group says of it. Its cases and claims are made in run/group_cases.cpp.
#include "harness/bench/group.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/bench/run/group_description.hpp"
#include "harness/bench/sampling/sampler.hpp"

namespace torchgate::bench {

std::string words_of(OwnProcess settings, bool training) {
  std::sort(settings.environment.begin(), settings.environment.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  for (const record::Parameter& variable : settings.environment) add(variable.name + "=" + variable.value);
  if (settings.threads) add("threads " + std::to_string(*settings.threads));
  if (settings.cpus) add("cpus " + std::to_string(*settings.cpus));
  if (training) add("training");
  return text.empty() ? "none" : text;
}

template <class Self>
Settings<Self>::Settings(std::string name, CaseSettings& settings) : name_(std::move(name)), settings_(&settings) {}

template <class Self>
void Settings<Self>::mistake(const std::string& what) const {
  throw std::logic_error(name_ + ": " + what);
}

template <class Self>
Self& Settings<Self>::needs(std::string requirement, const Where& cases) {
  settings_->needs.push_back({std::move(requirement), {}, cases});
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::needs(std::string name, Requirement test) {
  settings_->needs.push_back({std::move(name), std::move(test), {}});
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::quick(const Where& cases) {
  if (cases.terms.empty()) mistake("quick() selects no axis value; name one, or omit it");
  settings_->quick.push_back(cases);
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::only_full(const Where& cases) {
  settings_->only_full.push_back(cases);
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::samples(int number) {
  if (number < fewest_samples)
    mistake("samples(" + std::to_string(number) + "): at least " + std::to_string(fewest_samples) + " are needed");
  settings_->samples = number;
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::measures(const OwnMetric& metric) {
  settings_->metrics.push_back(metric);
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::phases(std::initializer_list<const char*> names) {
  for (const char* name : names) measures(ns(name));
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::gates(std::string metric) {
  settings_->gated.push_back(std::move(metric));
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::artefact(std::string file_name) {
  if (file_name.empty() || file_name.front() == '.' || file_name.find('/') != std::string::npos)
    mistake("artefact(\"" + file_name + "\"): give the name of a file, without a folder");
  settings_->artefacts.push_back(std::move(file_name));
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::environment(std::string name, std::string value) {
  if (name.empty() || name.find('=') != std::string::npos)
    mistake("environment(\"" + name + "\"): invalid name of a variable");
  if (name.starts_with("TORCHGATE_")) mistake("environment(\"" + name + "\"): the harness sets it; use another");
  std::vector<record::Parameter>& variables = settings_->own_process.environment;
  if (std::any_of(variables.begin(), variables.end(), [&](const auto& other) { return other.name == name; }))
    mistake("environment(): duplicate variable " + name);
  variables.push_back({std::move(name), std::move(value)});
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::threads(int count) {
  if (count < 1) mistake("threads(" + std::to_string(count) + "): use at least 1");
  settings_->own_process.threads = count;
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::cpus(int count) {
  if (count < 1) mistake("cpus(" + std::to_string(count) + "): use at least 1");
  settings_->own_process.cpus = count;
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Settings<Self>::graphs() {
  settings_->graphs = true;
  return static_cast<Self&>(*this);
}

template <class Self>
Implementation<Self>::Implementation(const GroupDescription& group, VariantDescription& variant)
    : Settings<Self>(group.name + "/" + variant.name, variant), variant_(&variant) {}

template <class Self>
Self& Implementation<Self>::proves(Expectation expectation, const Where& cases) {
  variant_->expectations.emplace_back(std::move(expectation), cases);
  return static_cast<Self&>(*this);
}

template <class Self>
Self& Implementation<Self>::claims(Promise promise, const Where& cases, const std::optional<OnlyWith>& only) {
  if (!promise.mistake.empty()) this->mistake(promise.mistake);
  const Scaled& bound = promise.bound;
  const bool against_reference = !promise.limit && !bound.own && !bound.variant && bound.where.terms.empty();
  if (against_reference && !std::is_same_v<Self, Variant>)
    this->mistake("only a variant can be compared with reference(); use case_with() in a sweep");
  if (only) promise.text += " (only with " + only->requirement + ")";
  variant_->promises.push_back({std::move(promise), cases, {}});
  if (only) variant_->promises.back().needs.push_back({only->requirement, only->test, {}});
  return static_cast<Self&>(*this);
}

template class Settings<Group>;
template class Settings<Reference>;
template class Settings<Variant>;
template class Settings<Sweep>;
template class Implementation<Reference>;
template class Implementation<Variant>;
template class Implementation<Sweep>;

Variant& Variant::within(double relative_l2) {
  if (!(relative_l2 >= 0) || !std::isfinite(relative_l2))
    mistake("invalid tolerance; it must be a number of at least 0");
  variant_->tolerance = {relative_l2};
  return *this;
}

Variant& Variant::checks(CheckFunction check) {
  if (!check) mistake("checks() has no function; pass one, or remove checks()");
  if (variant_->check) mistake("checks() is a duplicate; put both checks into one function");
  variant_->check = std::move(check);
  return *this;
}

Variant& Variant::only(const Where& cases) {
  variant_->only.push_back(cases);
  return *this;
}

Sweep& Sweep::checks(SweepCheckFunction check) {
  if (!check) mistake("checks() has no function; pass one, or remove checks()");
  if (variant_->sweep_check) mistake("checks() is a duplicate; put both checks into one function");
  variant_->sweep_check = std::move(check);
  return *this;
}

Sweep& Sweep::only(const Where& cases) {
  variant_->only.push_back(cases);
  return *this;
}

Group::Group(GroupDescription& description) : Settings(description.name, description), description_(&description) {}

Axis Group::axis(std::string name, std::initializer_list<int> numbers) {
  std::vector<AxisValue> values;
  for (const int number : numbers) values.push_back(Axis::value_of(number));
  description_->axes.emplace_back(name, std::move(values));
  return Axis(std::move(name));
}

Axis Group::axis(std::string name, std::initializer_list<const char*> words) {
  std::vector<AxisValue> values;
  for (const char* word : words) values.push_back(Axis::value_of(word));
  description_->axes.emplace_back(name, std::move(values));
  return Axis(std::move(name));
}

Group& Group::devices() {
  axis("device", {"cpu", "cuda"});
  return *this;
}

Group& Group::items(const Axis& axis) {
  return items([name = axis.name_](const Args& args) { return static_cast<double>(args.number(name)); });
}

Group& Group::items(std::function<double(const Args&)> per_call) {
  description_->items = std::move(per_call);
  return *this;
}

Group& Group::bytes_per_call(std::function<double(const Args&)> per_call) {
  description_->bytes = std::move(per_call);
  return *this;
}

Group& Group::training() {
  description_->training = true;
  return *this;
}

Group& Group::ranks(int count) {
  if (count < 2) mistake("ranks(): invalid number; use at least 2 (without ranks() a case is measured by one process)");
  description_->ranks = count;
  return *this;
}

Group& Group::cold(int launches) {
  if (launches < 1) mistake("cold(" + std::to_string(launches) + "): use at least 1 launch");
  description_->cold_launches = launches;
  return *this;
}

Group& Group::without(std::initializer_list<const char*> metrics) {
  description_->without.insert(description_->without.end(), metrics.begin(), metrics.end());
  return *this;
}

VariantDescription& Group::add(std::string name, Factory factory) {
  std::deque<VariantDescription>& variants = description_->variants;
  if (std::any_of(variants.begin(), variants.end(), [&](const auto& other) { return other.name == name; }))
    mistake("duplicate variant \"" + name + "\"; rename one");
  if (!factory) mistake("variant \"" + name + "\": missing factory");
  VariantDescription& added = variants.emplace_back();
  added.name = std::move(name);
  added.factory = std::move(factory);
  return added;
}

Reference Group::reference(std::string name, Factory factory) {
  if (!description_->variants.empty()) mistake("reference(): there can be only one, and it must be the first variant");
  VariantDescription& added = add(std::move(name), std::move(factory));
  added.is_reference = true;
  return {*description_, added};
}

Variant Group::variant(std::string name, Factory factory) {
  if (!description_->has_reference())
    mistake("variant \"" + name + "\": missing reference before it; without one, use sweep()");
  return {*description_, add(std::move(name), std::move(factory))};
}

Sweep Group::sweep(std::string name, Factory factory) {
  if (description_->has_reference()) mistake("sweep(): not possible in a group with a reference; use variant()");
  return {*description_, add(std::move(name), std::move(factory))};
}

namespace {
std::vector<RegisteredGroup>& groups() {
  static std::vector<RegisteredGroup> all;
  return all;
}
}  // namespace

const std::vector<RegisteredGroup>& registered_groups() {
  return groups();
}

Registration::Registration(const char* name, void (*describe)(Group& group)) {
  groups().push_back({name, describe});
}

}  // namespace torchgate::bench
