#pragma once

#include "mutate/generate/program/pen.h"

namespace ggufgate::mutate::program {

// Expressions writes expressions of one type each. All have a value for any conversation. Compound
// ones are in parentheses, so that anything may follow them.
class Expressions {
 public:
  // Texts that may be longer are not used in other texts.
  static constexpr std::size_t kLongest = 4096;

  Expressions(Choices& choices, Pen& pen, Scope& scope)
      : choices_(choices), pen_(pen), scope_(scope) {}

  // A loop has `loop`, but a call block inside it does not: that is a function.
  bool in_loop = false;

  // Each writes an expression of at most `depth` levels. Text also returns the greatest length.
  std::size_t Text(std::size_t depth);
  void Number(std::size_t depth);
  void Bool(std::size_t depth);
  void Texts(std::size_t depth);  // at most a handful
  void Messages();
  void Message();  // always exists
  // PlainText does not use variables that a program appends to.
  std::size_t PlainText();

  void PutName(const Name& name);

 private:
  [[nodiscard]] bool Tight() const { return pen_.Left() < 1000; }
  std::size_t Literal();
  std::size_t SimpleText();
  std::size_t MessageField();
  std::size_t FilteredText(std::size_t depth);
  std::size_t MethodOfText(std::size_t depth);
  std::size_t FormattedText(std::size_t depth);
  std::size_t JsonText(std::size_t depth);
  void SimpleNumber();
  void SimpleBool();
  void TestOf(std::size_t depth);
  void Quoted();

  Choices& choices_;
  Pen& pen_;
  Scope& scope_;
};

}  // namespace ggufgate::mutate::program
