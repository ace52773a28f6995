// Statements that contain others.

#include "mutate/generate/program/statements.h"

namespace ggufgate::mutate::program {
namespace {

using namespace std::string_view_literals;

constexpr std::array kWrongs = {" raise_exception('roles must alternate') "sv,
                                "raise_exception(\"no \" ~ messages[0].role)"sv};
constexpr std::array kNever = {"false"sv, "messages | length > 1000"sv, "not messages"sv,
                               "messages[0]['role'] == 'nobody'"sv, "none"sv};

}  // namespace

void Statements::SetBlock(const Place& place) {
  const Name name{.kind = Kind::kText, .number = scope_.Fresh(), .size = Expressions::kLongest + 1};
  Begin();
  pen_.Put("set ");
  expressions_.PutName(name);
  if (choices_.OneIn(3)) pen_.Put(" | ").Put(choices_.Pick(kBlockFilters));
  End();
  Place inside = place;
  inside.may_leave = false;
  Block(inside, "endset");
  scope_.Add(name);
}

void Statements::If(const Place& place) {
  Begin();
  pen_.Put("if ");
  expressions_.Bool(kLevels);
  End();
  pen_.Keep(2 * kCloseRoom);
  const std::size_t names = scope_.count();
  Some(Inside(place), 3);
  scope_.GoBackTo(names);
  if (choices_.OneIn(3) && pen_.Left() > kStatementRoom) {
    Begin();
    pen_.Put("elif ");
    expressions_.Bool(1);
    End();
    Some(Inside(place), 2);
    scope_.GoBackTo(names);
  }
  pen_.Release(kCloseRoom);
  if (choices_.OneIn(2)) {
    Close("else");
    Some(Inside(place), 2);
    scope_.GoBackTo(names);
  }
  pen_.Release(kCloseRoom);
  Close("endif");
}

// LoopHead writes the list of a loop, and sets `name` to the kind of its elements.
void Statements::LoopHead(Name& name) {
  switch (choices_.Below(6)) {
    case 1:
      name.kind = Kind::kNumber;
      expressions_.PutName(name);
      pen_.Put(" in range(").Put(1 + choices_.Below(4)).Put(choices_.OneIn(3) ? ", 5)" : ")");
      break;
    case 2:
      name.kind = Kind::kText;
      name.size = 500;
      expressions_.PutName(name);
      pen_.Put(" in ");
      expressions_.Texts(1);
      break;
    case 3:  // the members of a message
      name.kind = Kind::kText;
      expressions_.PutName(name);
      pen_.Put(", value_").Put(name.number).Put(" in ");
      expressions_.Message();
      pen_.Put(choices_.OneIn(2) ? " | dictsort" : choices_.OneIn(2) ? " | items" : ".items()");
      break;
    case 4: {
      name.kind = Kind::kText;
      const Name group{.kind = Kind::kMessages, .number = scope_.Fresh()};
      expressions_.PutName(name);
      pen_.Put(", ");
      expressions_.PutName(group);
      pen_.Put(" in messages | groupby('role')");
      scope_.Add(group);
      break;
    }
    default:
      expressions_.PutName(name);
      pen_.Put(" in ");
      expressions_.Messages();
      if (choices_.OneIn(3)) {
        pen_.Put(" if ");
        expressions_.PutName(name);
        pen_.Put(".role != 'system'");
      }
      break;
  }
}

void Statements::For(const Place& place) {
  const std::size_t names = scope_.count();
  Name name{.kind = Kind::kMessage, .number = scope_.Fresh()};
  Place inside = place;
  inside.times = place.times * kMostRounds;
  inside.in_loop = true;
  inside.may_leave = true;
  steps_ += inside.times;
  Begin();
  pen_.Put("for ");
  LoopHead(name);
  End();
  scope_.Add(name);
  pen_.Keep(2 * kCloseRoom);
  Some(Inside(inside), 4);
  scope_.GoBackTo(names);
  pen_.Release(kCloseRoom);
  if (choices_.OneIn(6)) {
    Close("else");
    Plain();
  }
  pen_.Release(kCloseRoom);
  Close("endfor");
}

void Statements::With(const Place& place) {
  const std::size_t names = scope_.count();
  Name name{.kind = Kind::kText, .number = scope_.Fresh()};
  Begin();
  pen_.Put("with ");
  expressions_.PutName(name);
  pen_.Put(" = ");
  name.size = expressions_.Text(1);
  End();
  scope_.Add(name);
  Block(place, "endwith");
  scope_.GoBackTo(names);
}

void Statements::Filter(const Place& place) {
  Begin();
  pen_.Put("filter ").Put(choices_.Pick(kBlockFilters));
  End();
  Place inside = place;
  inside.may_leave = false;
  Block(inside, "endfilter");
}

// Macro defines a macro at the top level, where all names that it uses keep their values.
void Statements::Macro(const Place& place) {
  const bool wrapper = choices_.OneIn(3);
  Name macro{.kind = wrapper ? Kind::kWrapper : Kind::kMacro, .number = scope_.Fresh()};
  const Name a{.kind = Kind::kText, .number = scope_.Fresh(), .size = 500};
  const std::size_t names = scope_.count();
  Begin();
  pen_.Put("macro ");
  expressions_.PutName(macro);
  pen_.Put("(");
  expressions_.PutName(a);
  if (!wrapper) pen_.Put(", b='none'");
  pen_.Put(")");
  End();
  scope_.Add(a);
  const std::size_t before = steps_;
  Place inside = place;
  pen_.Keep(2 * kCloseRoom);
  if (wrapper) pen_.Put(choices_.OneIn(2) ? "{{ caller() }}" : "<{{- caller() | trim -}}>");
  if (!wrapper && choices_.OneIn(2)) pen_.Put("{{ b }}");
  pen_.Release(2 * kCloseRoom);
  Block(inside, "endmacro");
  macro.size = steps_ - before + 4;
  scope_.GoBackTo(names);
  scope_.Add(macro);
}

void Statements::Call(const Place& place) {
  const Name* known = scope_.Any(choices_, Kind::kWrapper);
  if (known == nullptr || place.times * known->size + steps_ >= kMostSteps) return Output(place);
  const Name wrapper = *known;
  steps_ += place.times * wrapper.size;
  Begin();
  pen_.Put("call ");
  expressions_.PutName(wrapper);
  pen_.Put("(");
  (void)expressions_.PlainText();
  pen_.Put(")");
  End();
  Place inside = place;
  inside.in_loop = inside.may_leave = false;
  Block(inside, "endcall");
}

void Statements::Tools() {
  const std::size_t tool = scope_.Fresh();
  Close("if tools");
  Begin();
  pen_.Put("for tool_").Put(tool).Put(" in tools");
  End();
  pen_.Put("{{ tool_").Put(tool).Put(choices_.OneIn(2) ? " | tojson(indent=4) }}" : " | tojson }}");
  Close("endfor");
  Close("endif");
}

void Statements::ToolCalls(const Place& place) {
  const Name* message = scope_.Any(choices_, Kind::kMessage);
  if (message == nullptr) return Output(place);
  const std::size_t call = scope_.Fresh();
  Begin();
  pen_.Put("if ");
  expressions_.PutName(*message);
  pen_.Put(choices_.OneIn(2) ? ".tool_calls is defined" : ".tool_calls");
  End();
  Begin();
  pen_.Put("for call_").Put(call).Put(" in ");
  expressions_.PutName(*message);
  pen_.Put(".tool_calls");
  End();
  pen_.Put("{{ call_").Put(call).Put(".function.name }}{{ call_").Put(call);
  pen_.Put(".function.arguments | tojson }}");
  Close("endfor");
  Close("endif");
}

void Statements::Leave(const Place& place) {
  if (!place.may_leave) return Output(place);
  Begin();
  pen_.Put("if ");
  expressions_.Bool(1);
  End();
  Close(choices_.OneIn(2) ? "continue" : "break");
  Close("endif");
}

void Statements::Raise() {
  Begin();
  pen_.Put("if ").Put(choices_.Pick(kNever));
  End();
  pen_.Put("{{ ").Put(choices_.Pick(kWrongs)).Put(" }}");
  Close("endif");
}

}  // namespace ggufgate::mutate::program
