#pragma once

// The values that the names of a template may have, for CheckTrust(). Not for users of the library.

#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"
#include "jinja/trust/name_map.h"
#include "jinja/trust/trust.h"

namespace ggufgate {

// TrustTable grows from reading to reading until nothing changes.
class TrustTable {
 public:
  // Bind adds a value of a variable, parameter or target of a loop, in any scope.
  void Bind(std::string_view name, const Trust& trust);
  void BindMacro(std::string_view name, const std::vector<std::string_view>& parameters);
  // BindParameter gives a parameter what any unknown call passes.
  void BindParameter(std::string_view name) { Bind(name, passed_); }
  // MayBeCalled is true of a macro that unknown code may call.
  [[nodiscard]] bool MayBeCalled(std::string_view macro) const;
  // Escape tells that a macro is used as a value.
  void Escape(std::string_view macro);
  [[nodiscard]] bool IsBound(std::string_view name) const {
    return given_up_ || variables_.contains(name);
  }
  [[nodiscard]] bool IsMacro(std::string_view name) const { return macros_.contains(name); }

  // Of returns all values that a variable may have.
  [[nodiscard]] Trust Of(std::string_view name) const;
  // FieldOf is what code may have put at a key of any object of the template.
  [[nodiscard]] Trust FieldOf(std::string_view key) const;
  // MayBeField is true if a namespace may have a field of this name, which hides a method.
  [[nodiscard]] bool MayBeField(std::string_view key) const {
    return given_up_ || any_name_ || fields_.contains(key);
  }
  // AddAnyName records a namespace with fields whose names are not known.
  void AddAnyName() {
    changed_ = changed_ || !any_name_;
    any_name_ = true;
  }
  [[nodiscard]] const Trust& AnyField() const { return given_up_ ? unknown_ : all_fields_; }
  // Stored is what methods may have put into any container of the template.
  [[nodiscard]] const Trust& Stored() const { return given_up_ ? unknown_ : stored_; }

  void SetField(std::string_view key, const Trust& trust);
  void SetAnyField(const Trust& trust);
  // Store puts a value into a container by a method.
  void Store(const Trust& receiver, const Trust& value);
  // Pass hands a value to a call of something that is not known.
  void Pass(const Trust& value) { Grow(passed_, ElementOf(value)); }
  // PassTo hands the argument at a place, or of a name, to all macros of that name.
  void PassTo(std::string_view macro, std::size_t place, std::string_view name, const Trust& value);

  // Changed is true if anything grew since it was last asked.
  [[nodiscard]] bool Changed();
  // GiveUp makes every name one that the template made.
  void GiveUp() { given_up_ = true; }

 private:
  // Names that are kept, so that memory stays small whatever a template is. Of 378 published
  // templates none sets more than 57.
  static constexpr std::size_t kMostNames = 2'048;
  static constexpr std::size_t kMostParameters = 64;  // that are told apart

  // HasRoom is true if a name is there, or may be added; otherwise it gives up.
  bool HasRoom(bool is_there);
  void Grow(Trust& trust, const Trust& more);

  struct Macro {
    std::vector<std::string_view> parameters = {};
    bool ambiguous = false;  // is a value, or something else has the name
  };

  NameMap<Trust> variables_;
  NameMap<Macro> macros_;
  NameMap<Trust> fields_;
  Trust any_field_;   // put at a key that is not known
  Trust all_fields_;  // put at any key
  Trust stored_;
  Trust passed_;
  Trust any_;  // what values may be besides texts, all together
  Trust unknown_ = {.made = "more than is followed"};
  Trust conversation_ = {.data = true, .holds_data = true};
  bool any_name_ = false;
  bool changed_ = false;
  bool given_up_ = false;
};

}  // namespace ggufgate
