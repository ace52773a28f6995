#pragma once

// Values that the names of a template may have, for CheckTrust(). Internal to this module.

#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"
#include "jinja/trust/name_map.h"
#include "jinja/trust/trust.h"

namespace ggufgate {

// TrustTable grows with each reading until nothing changes.
class TrustTable {
 public:
  // Bind adds a value to a variable, parameter or loop target, in any scope.
  void Bind(std::string_view name, const Trust& trust);
  void BindMacro(std::string_view name, const std::vector<std::string_view>& parameters);
  // BindParameter adds the arguments of all unknown calls to a parameter.
  void BindParameter(std::string_view name) { Bind(name, passed_); }
  // MayBeCalled tells whether unknown code may call a macro.
  [[nodiscard]] bool MayBeCalled(std::string_view macro) const;
  // Escape records that a macro is used as a value.
  void Escape(std::string_view macro);
  [[nodiscard]] bool IsBound(std::string_view name) const {
    return given_up_ || variables_.contains(name);
  }
  [[nodiscard]] bool IsMacro(std::string_view name) const { return macros_.contains(name); }

  // Of returns all values that a variable may have.
  [[nodiscard]] Trust Of(std::string_view name) const;
  // FieldOf returns the values that code may have put at a key of any object of the template.
  [[nodiscard]] Trust FieldOf(std::string_view key) const;
  // MayBeField tells whether a namespace may have a field of this name, which hides a method.
  [[nodiscard]] bool MayBeField(std::string_view key) const {
    return given_up_ || any_name_ || fields_.contains(key);
  }
  // AddAnyName records a namespace with fields whose names are unknown.
  void AddAnyName() {
    changed_ = changed_ || !any_name_;
    any_name_ = true;
  }
  [[nodiscard]] const Trust& AnyField() const { return given_up_ ? unknown_ : all_fields_; }
  // Stored returns the values that methods may have put into any container of the template.
  [[nodiscard]] const Trust& Stored() const { return given_up_ ? unknown_ : stored_; }

  void SetField(std::string_view key, const Trust& trust);
  void SetAnyField(const Trust& trust);
  // Store records that a method puts a value into a container.
  void Store(const Trust& receiver, const Trust& value);
  // Pass passes a value to a call of an unknown function.
  void Pass(const Trust& value) { Grow(passed_, ElementOf(value)); }
  // PassTo passes the argument at a position, or with a name, to all macros of that name.
  void PassTo(std::string_view macro, std::size_t place, std::string_view name, const Trust& value);

  // Changed tells whether anything has grown since the last call.
  [[nodiscard]] bool Changed();
  // GiveUp makes every value count as made by the template.
  void GiveUp() { given_up_ = true; }

 private:
  // Maximum number of names that are kept, to limit memory for any template. Of 378 published
  // templates, none sets more than 57.
  static constexpr std::size_t kMostNames = 2'048;
  static constexpr std::size_t kMostParameters = 64;  // that are distinguished

  // HasRoom tells whether a name exists or may be added. If not, it gives up.
  bool HasRoom(bool is_there);
  void Grow(Trust& trust, const Trust& more);

  struct Macro {
    std::vector<std::string_view> parameters = {};
    bool ambiguous = false;  // is used as a value, or another object has the name
  };

  NameMap<Trust> variables_;
  NameMap<Macro> macros_;
  NameMap<Trust> fields_;
  Trust any_field_;   // put at an unknown key
  Trust all_fields_;  // put at any key
  Trust stored_;
  Trust passed_;
  Trust any_;  // values besides texts, all together
  Trust unknown_ = {.made = "more than is followed"};
  Trust conversation_ = {.data = true, .holds_data = true};
  bool any_name_ = false;
  bool changed_ = false;
  bool given_up_ = false;
};

}  // namespace ggufgate
