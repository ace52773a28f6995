// Attributes and filters after an operand of an expression.

#include "jinja/expressions/expression.h"

namespace ggufgate {

void ExpressionReader::ReadAttribute(const JinjaToken&) {
  const JinjaToken* name = Peek();
  if (name == nullptr || (!name->IsName() && name->kind != JinjaToken::Kind::kNumber)) return;
  ++at_;
  TemplateOperand target = Pop();
  TemplateOperand result{.method = name};
  if (name->IsName()) {
    CheckName(TextValue(name->text), *name, scope_);
    CheckFormat(target.value, name->text, *name, scope_);
    if (!PeekIs("(")) CheckTaken(name->text, *name, scope_);
    // In a template without blocks, `self` has no attributes; a published template reads one.
    const bool blocks = scope_.SlotOf("block") != TemplateScope::kNoSlot;
    const bool block = blocks && target.value.alias == "self" && !target.value.alias_is_field;
    if (block && !PeekIs("(")) scope_.Add(TemplateRemark::Kind::kTaken, *name, name->text);
    result.value = Member(target.value, name->text);
    if (!PeekIs("(")) BindMethod(name->text, target.value, result.value);
  } else {
    result.value = scope_.Element(target.value);
  }
  result.receiver = std::move(target.value);
  Push(std::move(result));
}

void ExpressionReader::ReadFilter() {
  const JinjaToken* name = Peek();
  if (name == nullptr || !name->IsName()) {
    return;
  }
  ++at_;
  ReduceTight();
  // Skips the module of a filter.
  while (PeekIs(".") && Peek(1) != nullptr && Peek(1)->IsName()) at_ += 2;
  Open(TemplateFrame::Use::kFilter, *name, Pop());
  if (PeekIs("(")) {
    ++at_;
  } else {
    Close();
  }
}

}  // namespace ggufgate
