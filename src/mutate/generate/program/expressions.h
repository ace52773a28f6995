#pragma once

#include "mutate/generate/program/pen.h"

namespace ggufgate::mutate::program {

// Expressions writes expressions of one type each, all of which have a value whatever the
// conversation is. Compound ones stand in brackets, so that anything may follow them.
class Expressions {
 public:
  // Texts that may be longer than this are not used to make others.
  static constexpr std::size_t kLongest = 4096;

  Expressions(Choices& choices, Pen& pen, Scope& scope)
      : choices_(choices), pen_(pen), scope_(scope) {}

  // In a loop there is `loop`, but not in all that stands in it: a call block is a function.
  bool in_loop = false;

  // Each writes an expression of at most `depth` levels; of a text it gives the greatest length.
  std::size_t Text(std::size_t depth);
  void Number(std::size_t depth);
  void Bool(std::size_t depth);
  void Texts(std::size_t depth);  // never more than a handful
  void Messages();
  void Message();  // there is always one
  // PlainText is made of nothing that a program adds to.
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
