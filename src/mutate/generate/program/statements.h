#pragma once

#include <string_view>

#include "mutate/generate/program/expressions.h"
#include "mutate/generate/program/template_program.h"

namespace ggufgate::mutate::program {

inline constexpr std::size_t kLevels = 3;          // of an expression
inline constexpr std::size_t kMostRounds = 6;      // of a loop
inline constexpr std::size_t kMostSteps = 10'000;  // of a whole program
inline constexpr std::size_t kStatementRoom = 1536;
inline constexpr std::size_t kCloseRoom = 24;  // "{%- endfor -%}" and similar
inline constexpr std::array<std::string_view, 6> kBlockFilters = {
    "upper", "trim", "lower | title", "replace('a', 'b')", "indent(2)", "trim | upper"};

// Statements writes a whole program.
class Statements {
 public:
  Statements(Choices& choices, Pen& pen, TemplatePlan plan)
      : choices_(choices), pen_(pen), expressions_(choices, pen, scope_), plan_(plan) {}

  // Returns the rule that the program breaks, as planned.
  std::string_view Program();

 private:
  // Place is the place of a statement.
  struct Place {
    std::size_t depth = 0;   // of blocks
    std::size_t times = 1;   // most executions
    bool in_loop = false;    // `loop` exists
    bool may_leave = false;  // by break and continue: only ifs between it and its loop
  };

  void Some(const Place& place, std::size_t most);
  void Statement(const Place& place);
  void Begin(std::string_view sign = "{%");
  void End(std::string_view sign = "%}");
  void Close(std::string_view word);
  void Block(const Place& place, std::string_view close);

  void Plain();
  void Output(const Place& place);
  void Comment();
  void Raw();
  void Set();
  void SetBlock(const Place& place);
  void SetNamespace();
  void If(const Place& place);
  void For(const Place& place);
  void LoopHead(Name& name);
  void With(const Place& place);
  void Filter(const Place& place);
  void Macro(const Place& place);
  void Call(const Place& place);
  void Tools();
  void ToolCalls(const Place& place);
  void Leave(const Place& place);
  void Raise();
  void Breaking();
  Place Inside(const Place& place) const;

  Choices& choices_;
  Pen& pen_;
  Scope scope_;
  Expressions expressions_;
  TemplatePlan plan_;
  std::string_view broken_;  // the rule
  std::size_t steps_ = 0;    // upper bound of executed steps
};

}  // namespace ggufgate::mutate::program
