// SPDX-License-Identifier: Apache-2.0
// A table for each struct that is stored as a JSON object; reader and writer both follow it, so that a member is added in two places: in the
// struct and in its table. A row has the key, the member, its form (how a value is read and checked, and written) and, by its function,
// when it is there:
//
//   constexpr json::Table usage_fields{
//       json::of<ProcessUsage>,
//       json::required("faults", &ProcessUsage::faults, json::counted),
//       json::optional("first_case", &ProcessUsage::first_case, json::name),
//   };
//
//   usage = json::object_of<usage_fields>.read(reader, context);    // refuses an object without "faults"
//   json::object_of<usage_fields>.write(writer, usage, context);    // in the order of the rows
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/json/forms.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/json/json_writer.hpp"

namespace torchgate::json {

// --- rows ----------------------------------------------------------------------------------------------------------

/// What is known of a member without its type.
struct Row {
  std::string_view key;
  bool required = false;  ///< an object without it is refused
  int stage = 0;  ///< read when all required members of lower stages have been, in whatever order the text has them
  bool referred_to = false;  ///< optional, and higher stages wait for it where the text has it at all
  bool waits = false;        ///< there are lower stages
};

/// When a member is written.
struct Always {};
struct UnlessEmpty {};  // neither absent, empty, false nor 0

template <class Member, class MemberForm, class When>
struct Field {
  Row row;
  Member member;  ///< pointer to it, or a function that returns a reference to it from the object (and the context)
  MemberForm form;
  When when;

  template <class Object, class Context>
  void read(JsonReader& reader, Object& object, Context& context) const {
    auto& value = call(member, context, object);
    if constexpr (std::is_same_v<When, Always> && requires { value.has_value(); }) {
      if (reader.null()) return;
    }
    value = call(form.read, context, reader);
  }

  template <class Object, class Context>
  void write(JsonWriter& json, const Object& object, Context& context) const {
    const auto& value = call(member, context, object);
    if (!is_written(object, value, context)) return;
    json.key_of(row.key);
    if constexpr (requires { value.has_value(); }) {
      value ? call(form.write, context, json, *value) : json.null();
    } else {
      call(form.write, context, json, value);
    }
  }

  /// Written where PREDICATE(object [, context]) holds.
  template <class Predicate>
  [[nodiscard]] constexpr auto where(Predicate predicate) const {
    return Field<Member, MemberForm, Predicate>{row, member, form, predicate};
  }
  [[nodiscard]] constexpr Field at_stage(int stage) const {
    Field moved = *this;
    moved.row.stage = stage;
    return moved;
  }
  [[nodiscard]] constexpr Field referred_to() const {
    Field moved = *this;
    moved.row.referred_to = true;
    return moved;
  }

 private:
  template <class Object, class Value, class Context>
  [[nodiscard]] bool is_written(const Object& object, const Value& value, Context& context) const {
    if constexpr (std::is_same_v<When, Always>) {
      return true;
    } else if constexpr (!std::is_same_v<When, UnlessEmpty>) {
      return call(when, context, object);
    } else if constexpr (requires { value.has_value(); }) {
      return value.has_value();
    } else if constexpr (requires { value.empty(); }) {
      return !value.empty();
    } else {
      return value != Value{};
    }
  }
};

/// The member INNER of the member OUTER.
template <class Outer, class Inner>
constexpr auto inside(Outer outer, Inner inner) {
  return [=](auto& object) -> auto& {
    return object.*outer.*inner;
  };
}

/// Always there: null, where an optional member is absent.
template <class Member, class MemberForm>
constexpr auto required(std::string_view key, Member member, MemberForm member_form) {
  return Field<Member, decltype(form(member_form)), Always>{{key, true}, member, form(member_form), {}};
}
/// Always written, and not in files of earlier versions.
template <class Member, class MemberForm>
constexpr auto always(std::string_view key, Member member, MemberForm member_form) {
  return Field<Member, decltype(form(member_form)), Always>{{key}, member, form(member_form), {}};
}
/// Left out where it is absent, empty, false or 0.
template <class Member, class MemberForm>
constexpr auto optional(std::string_view key, Member member, MemberForm member_form) {
  return Field<Member, decltype(form(member_form)), UnlessEmpty>{{key}, member, form(member_form), {}};
}

/// "schema": the name and version of the format, such as "torchgate.run/1". It is read before everything else.
struct Schema {
  Row row;
  std::string_view expected;
  bool is_stored = false;

  template <class Object, class Context>
  void read(JsonReader& reader, Object& /*object*/, Context& /*context*/) const {
    check(reader);
  }
  template <class Object, class Context>
  void write(JsonWriter& json, const Object& /*object*/, Context& /*context*/) const {
    json.member("schema", expected);
  }

 private:
  void check(JsonReader& reader) const;
};
constexpr Schema schema(std::string_view expected) {
  return {{"schema", true, -1}, expected};
}
/// Of files that are kept for years: a message says which version reads which of them.
constexpr Schema stored_schema(std::string_view expected) {
  return {{"schema", true, -1}, expected, true};
}

// --- tables --------------------------------------------------------------------------------------------------------

struct Unchecked {};

/// Of which struct a table is, and what is checked when all members have been read: CHECK(reader, object), which may take the context, or the
/// Members that the text has, as its last argument.
template <class Object, class Check = Unchecked>
struct Of {
  Check check;
};
template <class Object>
inline constexpr Of<Object> of{};
template <class Object, class Check>
constexpr Of<Object, Check> checked(Check check) {
  return {check};
}

template <class Object, class Check, class... Fields>
struct Table {
  using Value = Object;

  constexpr explicit Table(Of<Object, Check> of, Fields... each) : fields{each...}, rows{each.row...}, check(of.check) {
    for (Row& row : rows) {
      for (const Row& other : rows) row.waits = row.waits || other.stage < row.stage;
    }
  }

  std::tuple<Fields...> fields;
  std::array<Row, sizeof...(Fields)> rows;
  Check check;
};

/// The members of one object while it is read.
class Members {
 public:
  /// Members without a row are skipped, and added to UNKNOWN where it is given.
  Members(JsonReader& reader, std::span<const Row> rows, JsonWriter* unknown)
      : reader_(reader), rows_(rows), unknown_(unknown) {}

  /// The row of a member that is to be read now. Absent: it was skipped; if it was too early for it, `end` comes back to it.
  std::optional<std::size_t> row_of(std::string_view key);

  /// Whether the text has it.
  [[nodiscard]] bool has(std::string_view key) const;

  /// After the last member. READ(row) reads a member.
  template <class Read>
  void end(Read&& read) {
    fail_if_missing();
    for (const PassedOver& each : passed_over())
      reader_.again(each.position, rows_[each.row].key, [&] { read(each.row); });
  }

 private:
  struct PassedOver {
    std::size_t row;
    std::size_t position;
  };

  [[nodiscard]] bool was_read(std::size_t row) const { return ((read_ >> row) & 1U) != 0; }
  [[nodiscard]] bool was_passed_over(std::size_t row) const;
  bool is_ready(const Row& row);
  void fail_if_missing();
  /// In the order in which they can be read.
  const std::vector<PassedOver>& passed_over();

  JsonReader& reader_;
  std::span<const Row> rows_;
  JsonWriter* unknown_;
  std::size_t next_ = 0;       // members nearly always stand in the order of the rows
  std::uint64_t read_ = 0;     // a bit for each row
  std::uint64_t nowhere_ = 0;  // the rest of the text does not have it
  std::vector<PassedOver> passed_over_;
};

template <const auto& FieldTable, std::size_t Position, class Object, class Context>
void read_row(JsonReader& reader, Object& object, Context& context) {
  std::get<Position>(FieldTable.fields).read(reader, object, context);
}

template <const auto& FieldTable, class Object, class Context, std::size_t... Positions>
constexpr auto row_readers(std::index_sequence<Positions...> /*rows*/) {
  return std::array{&read_row<FieldTable, Positions, Object, Context>...};
}

/// Reads an object's members into OBJECT.
template <const auto& FieldTable, class Object, class Context>
void read_members(JsonReader& reader, Object& object, Context& context, JsonWriter* unknown = nullptr) {
  static_assert(FieldTable.rows.size() <= 64, "Members has a bit for each row");
  static constexpr auto readers =
      row_readers<FieldTable, Object, Context>(std::make_index_sequence<FieldTable.rows.size()>());
  Members members(reader, FieldTable.rows, unknown);
  const auto read = [&](std::size_t row) { readers[row](reader, object, context); };
  reader.object({}, [&](std::string_view key) {
    if (const auto row = members.row_of(key)) read(*row);
  });
  members.end(read);
  if constexpr (std::is_invocable_v<decltype(FieldTable.check), JsonReader&, Object&, const Members&>) {
    FieldTable.check(reader, object, members);
  } else if constexpr (!std::is_same_v<std::decay_t<decltype(FieldTable.check)>, Unchecked>) {
    call(FieldTable.check, context, reader, object);
  }
}

template <const auto& FieldTable, class Object, class Context>
void write_members(JsonWriter& json, const Object& object, Context& context) {
  std::apply([&](const auto&... field) { (field.write(json, object, context), ...); }, FieldTable.fields);
}

/// The form of a struct with a table.
template <const auto& FieldTable>
inline constexpr auto object_of = form(
    [](JsonReader& reader, auto& context) {
      typename std::decay_t<decltype(FieldTable)>::Value value{};
      read_members<FieldTable>(reader, value, context);
      return value;
    },
    [](JsonWriter& json, const auto& value, auto& context) {
      json.begin_object();
      write_members<FieldTable>(json, value, context);
      json.end_object();
    });

// --- documents -----------------------------------------------------------------------------------------------------

/// A text that is one object. WHERE names it in messages.
template <const auto& FieldTable>
base::Result<typename std::decay_t<decltype(FieldTable)>::Value> read_document(std::string_view text,
                                                                               const std::string& where) {
  JsonReader reader(text, where);
  auto value = object_of<FieldTable>.read(reader, no_context);
  reader.end();
  if (reader.failed()) return reader.error();
  return value;
}

template <const auto& FieldTable, class Object>
std::string write_document(const Object& value, const Layout& layout = file_layout) {
  JsonWriter json(layout);
  object_of<FieldTable>.write(json, value, no_context);
  return json.take() + '\n';
}

}  // namespace torchgate::json
