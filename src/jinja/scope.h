#pragma once

// What a template's code has set so far: variables, fields, macros, captured text. Not for users of
// the library.

#include <array>
#include <vector>

#include "jinja/records.h"
#include "jinja/syntax/tokens.h"
#include "jinja/template.h"

namespace ggufgate {

// TemplateScope keeps what is known by name. Scopes of blocks are not told apart: a name is one
// thing in the whole template, and is all that it is ever set to. There are two exceptions, without
// which published templates seem to make long texts. A parameter is a separate variable if only
// its macro can read it (jinja/parameters.h). The sizes of a variable that a round of a loop has
// set are those of this round.
//
// A template is read again until nothing more comes to light. What the first reading does not know
// yet is nothing; later it is what a conversation brings.
class TemplateScope {
 public:
  // `room` is memory for a span at a time, which the caller uses again.
  TemplateScope(std::string_view text, JinjaSpan& room);

  void Add(TemplateRemark::Kind kind, const JinjaToken& token, std::string_view name = {},
           std::uint64_t number = 0);
  void Add(TemplateRemark remark);

  // BeginReading forgets what is found anew by each reading.
  void BeginReading();
  [[nodiscard]] bool first_reading() const { return readings_ == 1; }
  [[nodiscard]] bool changed() const { return changed_; }
  // SizesAreKept is true of every other reading. Sizes that all readings add up would grow without
  // a limit. The second reading is for names that are used above the place where they are set.
  [[nodiscard]] bool SizesAreKept() const { return readings_ % 2 == 0 || given_up_; }
  // GiveUp makes everything that is known by name text that is not known, for the last reading.
  void GiveUp() { given_up_ = true; }

  // No honest template sets or holds as much.
  static constexpr std::size_t kMostGrowths = 100'000;

  // kAnyHanded is the slot of all arguments that calls hand in without a name that is known:
  // `*list`, varargs, kwargs. It is the first: no code can spell its name, which sorts before all.
  static constexpr std::size_t kAnyHanded = 0;
  // Names that do not stand in the template have no slot.
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
  [[nodiscard]] std::size_t SlotOf(std::string_view name) const;
  // VariableSlot is the slot of the variable that code in the span means by a name. Parameters that
  // only their macro can read have separate slots.
  [[nodiscard]] std::size_t VariableSlot(std::string_view name) const;

  // stores() is true if code has a method that puts something into a container.
  [[nodiscard]] bool stores() const { return stores_; }
  // pops() is true if code has a method that takes something out of a list.
  [[nodiscard]] bool pops() const { return pops_; }
  // Largest is the largest number that the code spells out. It also limits numbers that are not
  // followed.
  [[nodiscard]] std::int64_t Largest() const { return largest_; }

  [[nodiscard]] std::string_view NameOf(std::size_t slot) const { return slots_.at(slot).name; }
  [[nodiscard]] std::size_t SlotCount() const { return slots_.size(); }
  // StepsOfCopies is the cost of a loop, round, branch or call: llama.cpp copies all variables for
  // each. ChargeCopies counts that for each round over data of the conversation, too.
  [[nodiscard]] std::uint64_t StepsOfCopies() const {
    return (variables_ + most_parameters_) / kNamesOfStep;
  }
  void ChargeCopies(std::uint64_t copies);
  // ChargeDataRounds charges for rounds of a loop, if each loop over data has four. They have a sum
  // of their own.
  void ChargeDataRounds(std::uint64_t made);
  static constexpr std::uint64_t kRoundsOfData = 4;  // a conversation has several messages
  // Measured on llama.cpp v0.5.0: 65,536 rounds, of empty loops in macros, take more than 25 s.
  static constexpr std::uint64_t kStepsOfDataRound = 6;
  // StepsOfField is the cost of `set x.y` for the fields that x may have.
  [[nodiscard]] std::uint64_t StepsOfField(std::string_view object) {
    return SumOf(fields_, Variable(object).elements) / kNamesOfStep;
  }

  // AnyMacro is a slot for all macros whose names are used as values. A call of a value may call
  // any of them.
  [[nodiscard]] std::size_t AnyMacro() const { return slots_.size() + 1; }
  void TakeMacro(std::string_view name);
  [[nodiscard]] bool IsTaken(std::size_t slot) const { return slots_.at(slot).taken; }
  // MakeJoiner records that code makes a joiner, whose calls return its argument.
  void MakeJoiner(const TemplateArguments& arguments);
  [[nodiscard]] bool joins() const { return joins_; }
  // IsJoiner is true of a name that code sets only by `set x = joiner(…)`, and only calls.
  [[nodiscard]] bool IsJoiner(std::string_view name) const {
    const std::size_t slot = SlotOf(name);
    return slot != kNoSlot && !slots_.at(slot).no_joiner;
  }

  // IsParameter is true of a name that is a parameter of the macro being read.
  [[nodiscard]] bool IsParameter(std::string_view name) const;
  // FollowedParameter is the position of a parameter, by its slot, unless the macro sets it.
  [[nodiscard]] std::optional<std::size_t> FollowedParameter(std::size_t slot) const;
  // GivenBy says which argument a name holds, or holds a part of.
  [[nodiscard]] std::optional<GivenName> GivenBy(std::string_view name) const;
  // CheckCaller looks at a value that something keeps: the caller of a macro may not be kept.
  void CheckCaller(const TemplateValue& kept);
  // MakeSpace records whether a statement sets a variable to a new namespace. MadeSpace is true of
  // a variable that the macro being read set so.
  void MakeSpace(std::string_view name, const TemplateValue& value);
  [[nodiscard]] bool MadeSpace(std::string_view name) const;
  // NewSpace describes the namespace that a variable is for certain: the current code, outside of
  // macros or in the same one, made it of new values.
  struct NewSpace {
    std::uint32_t branch = 0;  // that made it
    std::uint32_t last = 0;    // branch that had begun before
    std::size_t at = 0;
    bool clean = false;  // no other name can mean what its fields hold
  };
  [[nodiscard]] std::optional<NewSpace> SpaceOf(std::size_t slot) const;
  // Bind records that a statement sets a name: on this branch it is no longer the caller's. (In
  // llama.cpp, a macro sees the variables of its caller.)
  void Bind(std::string_view name, const TemplateValue& value);
  // MissLoop records that the following code is in a loop over `value`.
  void MissLoop(const TemplateValue& value);
  void SetParameters(TemplateMacro& defined, std::vector<std::string_view> parameters);
  // HandedAs describes this value as an argument of a call at a place in the template.
  [[nodiscard]] HandedPart HandedAs(const TemplateValue& value, std::size_t call_at) const;
  // EnterBranch and LeaveBranch enclose the code of a block, or of one branch of an `if`.
  void EnterBranch(bool of_macro);
  void LeaveBranch();
  [[nodiscard]] std::uint32_t branch() const { return branches_.empty() ? 0 : branches_.back(); }
  // Renew records that a statement sets a name on this branch.
  void Renew(std::string_view name);
  // RenewedHere lists the names that were renewed on the innermost branch.
  [[nodiscard]] std::vector<std::size_t> RenewedHere() const;
  // JoinBranches records names that each branch of an `if` renewed.
  void JoinBranches(const std::vector<std::size_t>& slots);
  [[nodiscard]] TemplateValue Variable(std::string_view name);
  [[nodiscard]] TemplateValue VariableAt(std::size_t slot);
  void SetVariable(std::string_view name, const TemplateValue& value);
  // SetParameter hands a value to a parameter of the macro with this slot. kNoSlot: of any macro.
  // (A name that an argument of a call has is the same thing in all macros.)
  void SetParameter(std::size_t of, std::string_view name, const TemplateValue& value);
  [[nodiscard]] bool IsSet(std::string_view name) const;
  // SetNamespace makes a variable one that has fields.
  void SetNamespace(std::string_view name);
  // Fields are those of namespaces, whichever: `ns.a`, `namespace(a=…)`.
  [[nodiscard]] TemplateValue Field(std::string_view name);
  void SetField(std::string_view name, const TemplateValue& value);
  void SetFieldOf(std::string_view name, std::string_view field, const TemplateValue& value);
  [[nodiscard]] TemplateMacro* MacroNamed(std::string_view name);
  TemplateMacro* DefineMacro(std::string_view name);
  // HasCallBlock is true if a call block hands its text to a macro.
  [[nodiscard]] bool HasCallBlock() const {
    const std::size_t slot = SlotOf("caller");
    return slot != kNoSlot && slots_.at(slot).macro != kNoSlot;
  }
  // HandAny hands in an argument that has no parameter by a name; HandedAny is any such argument.
  void HandAny(const TemplateValue& value);
  [[nodiscard]] TemplateValue HandedAny();
  // MayGetAny is true of a macro that may get them: one that is used as a value, or called with
  // `*list`. SpreadTo records the latter.
  [[nodiscard]] bool MayGetAny(std::size_t slot) const;
  void SpreadTo(std::size_t slot);
  // HandIn hands an argument to a macro; `position` counts from 0.
  void HandIn(TemplateMacro& callee, std::size_t position, const TemplateValue& value);
  // Gather adds to what is kept in one place for the whole template.
  enum class Pool : std::uint8_t {
    kStored,    // put into containers by their methods: any container may hold it
    kLooped,    // what loops go over, for loop.previtem
    kArgument,  // handed to a macro that is not known by name
    kFields,    // of namespaces: llama.cpp has methods of dictionaries for them
  };
  static constexpr std::size_t kPools = 4;
  void Gather(Pool pool, const TemplateValue& value);
  [[nodiscard]] const TemplateValue& Gathered(Pool pool) const {
    return pools_.at(static_cast<std::size_t>(pool));
  }
  void SetOutput(TemplateMacro& written, TemplateValue value, std::uint32_t writes);
  // KeepReads records what the output of a macro holds of names that are not its own; KeepAnyReads,
  // of code that is called by `self` or `loop`.
  void KeepReads(TemplateMacro& written, const TemplateValue& output);
  void KeepAnyReads(const TemplateValue& output) { KeepReads(any_, output); }
  // AddReads makes the output of a call hold what the macro reads besides its arguments.
  void AddReads(const TemplateMacro& called, TemplateValue& output);
  // AddAnyReads does so for a call of a value, which may be any of them.
  void AddAnyReads(TemplateValue& output);
  // Element is one element, item or character of a value, or what its methods may have put there.
  [[nodiscard]] TemplateValue Element(const TemplateValue& value) const;
  // Known is a value as it counts in this reading.
  [[nodiscard]] TemplateValue Known(TemplateValue value) const;

  // Hold tells that the object of `holder` may be, hold or store the one of `held`.
  void Hold(std::size_t holder, const TemplateValue& held, TemplateHolding::How how,
            const JinjaToken& token);
  // StoreInto records that a method puts something into a container. MayHoldStored is true of
  // values that may hold such things: those of the conversation do only if a method stores into one
  // of them. AddStored adds them to what code takes out of a container.
  void StoreInto(const TemplateValue& receiver);
  [[nodiscard]] bool MayHoldStored(const TemplateValue& value) const;
  void AddStored(TemplateValue& taken, const TemplateValue& from) const;
  // MayBeObject is true of a variable that may be a dictionary or message, not only a namespace.
  // StoreFields records that code sets fields of one: any object may have fields.
  [[nodiscard]] bool MayBeObject(std::string_view name) const;
  void StoreFields();
  [[nodiscard]] bool stored_fields() const { return stored_fields_; }
  // KeepKey records a value that the template puts into a dictionary at a key; KeepKeys, at each
  // that it may be; KeepAnyKey, at one that is not known. NarrowMember leaves an attribute or item
  // the sizes that it may have by its key.
  void KeepKey(std::string_view key, const TemplateValue& value);
  void KeepKeys(const TemplateValue& key, const TemplateValue& value);
  void KeepAnyKey(const TemplateValue& value);
  void NarrowMember(std::string_view key, TemplateValue& member) const;
  // Enlarge adds to the size of the values that a method adds to.
  void Enlarge(const TemplateValue& receiver, const TemplateValue& by, bool element);
  // Grow tells that a method adds to the value of a name.
  // Named is the value of a name, as in TemplateValue::parts; null for a name that nothing sets.
  [[nodiscard]] TemplateValue* Named(std::size_t name);
  void Grow(std::size_t into, const TemplateValue& by, bool element);
  // CountBlock counts a call of a block by `self`. TimesOfBlock is how often any block runs,
  // KeepTimes tells how often a macro does, and TimesHere is how often the span runs, with all
  // calls. RoundsHere is how often it runs in one call: variables of a macro do not outlast that.
  void CountBlock();
  [[nodiscard]] std::uint64_t TimesOfBlock() const;
  void KeepTimes(std::size_t slot, std::uint64_t times);
  [[nodiscard]] std::uint64_t TimesHere() const;
  [[nodiscard]] std::uint64_t RoundsHere() const;
  // CountCaller counts a call that the macro being read makes of its caller.
  void CountCaller();
  // Charge counts steps of the code that is being read, for each round of the loops around it.
  void Charge(std::uint64_t steps);
  [[nodiscard]] TemplateWeight& Weight(std::size_t slot) {
    return weights_.at(slot == kNoSlot ? slots_.size() : slot);
  }

  TextStore store;
  std::vector<MacroCall> calls;
  std::vector<TemplateHolding> holdings;
  std::vector<TemplateGrowth> growths;  // by assignment
  std::vector<std::size_t> enlarged;    // names of objects that methods add to again and again
  // Names that are set from each other, round by round, sorted, each with the number of its circle.
  // The last reading told.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> circles;
  std::vector<TemplateOwnList> own_lists;
  std::vector<TemplateLoopedCall> looped_calls;
  std::vector<TemplateAdding> addings;
  std::vector<TemplateRemark> remarks;
  std::size_t macro = kNoSlot;    // whose body is being read
  bool certain = true;            // the span being read is reached whenever that body is
  bool repeats = false;           // the span is in a loop, macro or block
  std::uint64_t rounds = 1;       // of the loops around the span, as far as constants tell
  std::uint64_t data_rounds = 1;  // the same, if each loop over data has four
  bool of_data = false;           // one of them goes over data of the conversation
  std::size_t loops_of_data = 0;  // that do
  std::size_t deepest = 0;        // operators of an expression in the span within each other
  std::size_t at = 0;             // where it begins
  bool of_user = true;            // no condition around it asks for another's message
  HollowCases missed;             // hollow arguments: with these, conditions skip the span
  HollowCases looped;             // as much by loops, which have nothing to go over
  TemplateChoice choice;
  std::size_t macro_branch = 0;  // that the body of the macro is
  // What the loops around the span go over; own: by name, or nothing where it has none.
  std::vector<TemplateValue> loops;
  std::vector<std::uint32_t> loop_branches;
  std::uint32_t loop_branch = 0;  // that the innermost loop, or macro, is
  std::size_t call_blocks = 0;    // that are open
  std::size_t named_blocks = 0;   // `{% block %}`; as callees they all have the slot of that word
  std::uint64_t self_calls = 0;   // levels of blocks, and of loops, that call themselves
  std::uint64_t loop_calls = 0;

 private:
  // Binding joins all values that statements of one macro give a name.
  struct Binding {
    std::size_t macro_branch;
    GivenPart part;
  };
  struct Slot {
    std::string_view name;
    std::size_t variable = kNoSlot;
    std::size_t field = kNoSlot;
    std::size_t macro = kNoSlot;
    std::uint32_t bound = 0;    // branch that sets it, in this reading; 0 for none
    std::uint32_t renewed = 0;  // innermost open branch of a loop that renews it
    std::uint32_t origin = 0;   // place in `origins_`
    std::uint32_t key = 0;      // place in `key_sizes_`
    std::uint32_t sizes = 0;    // place in `round_sizes_`
    // One word: a template may have very many names.
    std::uint32_t space : 26 = 0;        // place in `spaces_`
    bool object : 1 = false;             // a parameter that may be a dictionary or message
    bool read : 1 = false;               // code does more with the name than set it
    bool taken : 1 = false;              // the name of a macro is used as a value
    bool fields : 1 = false;             // statements set its fields
    bool spread : 1 = false;             // a call of that macro hands in `*list`
    bool no_joiner : 1 = false;          // code does more than make it a joiner and call it
    std::vector<Binding> bindings = {};  // by macro_branch, which each reading numbers alike
  };
  // Origin lists the names that a variable was made of, in the current round of the loop.
  struct Origin {
    std::vector<TemplateValue::Part> parts = {};
    std::vector<TemplateValue::Part> all = {};  // of whichever statement of the macro
    std::uint32_t branch = 0;                   // first of those that set it
    std::uint32_t macro = 0;                    // branch of the macro
    bool known = false;
    bool all_known = false;
  };
  // RoundSizes are the sizes that statements gave a variable since `loop` began its round.
  struct RoundSizes : TemplateSizes {
    std::uint32_t loop = 0;  // its branch
  };
  void FindRead(const JinjaSpan& span);
  [[nodiscard]] bool IsRing(std::size_t a, std::size_t b) const;
  [[nodiscard]] TemplateValue SizesOf(std::size_t name);
  void KeepSizes(std::size_t slot, const TemplateValue& value);
  void NarrowSizes(std::size_t slot, TemplateValue& value) const;
  void KeepAll(Origin& origin, const TemplateValue& more);
  void RenewAll(const std::vector<std::size_t>& slots);
  [[nodiscard]] bool IsFresh(const Slot& slot) const;
  // IsCarried is true of a name whose value may be one of an earlier round.
  [[nodiscard]] bool IsCarried(std::size_t name) const;
  [[nodiscard]] GivenPart GivenAs(std::size_t slot, const TemplateValue& value) const;
  std::size_t& Ensure(std::size_t& index);
  void Change(bool changes) { changed_ = changed_ || changes; }
  [[nodiscard]] TemplateValue CopyOf(std::size_t index, std::size_t part);
  [[nodiscard]] bool IsTraced(std::size_t name) const;
  [[nodiscard]] bool IsOwn(std::size_t name) const;
  void KeepOrigin(Slot& slot, const TemplateValue& value);
  void ForgetOrigin(const Slot& slot);
  [[nodiscard]] bool IsEverSet(std::size_t name) const;
  [[nodiscard]] static std::int64_t LargestIn(std::string_view text, JinjaSpan& span);
  void Assign(std::size_t& index, std::size_t part, const TemplateValue& value);

  // OwnSlot is a parameter of a macro, by their slots. Its own slot follows those of all names.
  struct OwnSlot {
    std::size_t macro;
    std::size_t name;
    friend auto operator<=>(const OwnSlot&, const OwnSlot&) = default;
  };
  [[nodiscard]] std::size_t ParameterSlot(std::size_t of, std::string_view name) const;

  std::vector<Slot> slots_;  // by name; behind these, of `own_slots_`
  std::vector<OwnSlot> own_slots_;
  std::size_t names_ = 0;
  std::deque<TemplateValue> values_;
  std::vector<Origin> origins_;
  std::vector<RoundSizes> round_sizes_;
  std::vector<TemplateSizes> key_sizes_;  // the first: of any key
  std::vector<NewSpace> spaces_;
  std::deque<TemplateMacro> macros_;
  TemplateMacro any_;  // what macros, blocks and loops that call themselves read, all together
  std::vector<TemplateWeight> weights_;  // by slot, of the code outside of macros, of AnyMacro()
  std::array<TemplateValue, kPools> pools_{};
  std::array<std::size_t, TemplateRemark::kKinds> told_{};
  std::vector<std::uint32_t> branches_;  // that are open, numbered as they begin
  // Names that open branches renewed, each with the branch that did so before.
  struct Renewal {
    std::uint32_t slot;
    std::uint32_t before;
    std::uint32_t branch;
  };
  std::vector<Renewal> renewals_;
  bool stored_outside_ = false;  // a method may put something into an object that code did not make
  bool joins_ = false;           // code makes a joiner
  bool pops_ = false;
  bool stored_fields_ = false;  // code sets fields of an object that is no namespace
  bool stores_ = false;         // code may put something into an object of the conversation
  std::int64_t largest_ = 0;
  std::uint32_t branch_ = 0;
  std::size_t readings_ = 0;
  // Measured on llama.cpp v0.5.0 at start: 240,000 copies of a variable take 1.4 s.
  static constexpr std::uint64_t kNamesOfStep = 12;
  std::uint64_t variables_ = 0;        // names that statements set, and of macros
  std::uint64_t most_parameters_ = 0;  // of one macro
  std::uint64_t fields_ = 0;
  bool own_field_ = false;         // the statement sets a field of a namespace that the macro made
  std::uint64_t block_times_ = 1;  // as far as the last reading told
  std::uint64_t calls_of_blocks_ = 0;  // by code outside of blocks
  std::uint64_t calls_in_blocks_ = 0;
  bool changed_ = false;
  bool given_up_ = false;
};

// IsKey is true of a text that is like the keys of messages: a short name.
[[nodiscard]] bool IsKey(std::string_view text);
// IsOfEngine is true of attributes that objects of the engine have. They hold more than an element:
// `cycler(x).items`, `d.keys().mapping`.
[[nodiscard]] bool IsOfEngine(std::string_view key);

}  // namespace ggufgate
