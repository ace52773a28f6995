#pragma once

// Objects that the code of a template has defined so far: variables, fields, macros, captured text.
// Internal to this module.

#include <array>
#include <vector>

#include "jinja/records.h"
#include "jinja/syntax/tokens.h"
#include "jinja/template.h"

namespace ggufgate {

// TemplateScope keeps the known values by name. It ignores the scopes of blocks: a name is one
// variable in the whole template, and has all values that it is ever set to. There are two
// exceptions, because otherwise published templates would seem to make long texts. A parameter is a
// separate variable if only its macro can read it (jinja/parameters.h). If a round of a loop has
// set a variable, its sizes are those of this round.
//
// A template is read several times, until a reading finds nothing new. In the first reading, an
// unknown name has no value; in later ones, its value comes from the conversation.
class TemplateScope {
 public:
  // `room` is memory for one span at a time, which the caller reuses.
  TemplateScope(std::string_view text, JinjaSpan& room);

  void Add(TemplateRemark::Kind kind, const JinjaToken& token, std::string_view name = {},
           std::uint64_t number = 0);
  void Add(TemplateRemark remark);

  // BeginReading clears the records that each reading makes anew.
  void BeginReading();
  [[nodiscard]] bool first_reading() const { return readings_ == 1; }
  [[nodiscard]] bool changed() const { return changed_; }
  // SizesAreKept is true in every other reading. If all readings added up the sizes, they would
  // grow without limit. The second reading handles names that are used before they are set.
  [[nodiscard]] bool SizesAreKept() const { return readings_ % 2 == 0 || given_up_; }
  // GiveUp makes the value of every name unknown text, for the last reading.
  void GiveUp() { given_up_ = true; }

  // Far above the number in published templates.
  static constexpr std::size_t kMostGrowths = 100'000;

  // kAnyHanded is the slot of all arguments without a known name: `*list`, varargs, kwargs. It is
  // the first slot: its name sorts before all others, and no code can spell it.
  static constexpr std::size_t kAnyHanded = 0;
  // Names that do not occur in the template have no slot.
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
  [[nodiscard]] std::size_t SlotOf(std::string_view name) const;
  // VariableSlot returns the slot of the variable that a name means in the current span. Parameters
  // that only their macro can read have separate slots.
  [[nodiscard]] std::size_t VariableSlot(std::string_view name) const;

  // stores() tells whether code has a method that puts a value into a container.
  [[nodiscard]] bool stores() const { return stores_; }
  // pops() tells whether code has a method that removes a value from a list.
  [[nodiscard]] bool pops() const { return pops_; }
  // Largest returns the largest number that the code spells out. It also limits numbers that are
  // not followed.
  [[nodiscard]] std::int64_t Largest() const { return largest_; }

  [[nodiscard]] std::string_view NameOf(std::size_t slot) const { return slots_.at(slot).name; }
  [[nodiscard]] std::size_t SlotCount() const { return slots_.size(); }
  // StepsOfCopies returns the cost of a loop, round, branch or call: llama.cpp copies all variables
  // for each. ChargeCopies also counts that for each round over data of the conversation.
  [[nodiscard]] std::uint64_t StepsOfCopies() const {
    return (variables_ + most_parameters_) / kNamesOfStep;
  }
  void ChargeCopies(std::uint64_t copies);
  // ChargeDataRounds charges for rounds of a loop, if each loop over data has four rounds. They
  // have a separate sum.
  void ChargeDataRounds(std::uint64_t made);
  static constexpr std::uint64_t kRoundsOfData = 4;  // a conversation has several messages
  // Measured on llama.cpp v0.5.0: 65,536 rounds of empty loops in macros take more than 25 s.
  static constexpr std::uint64_t kStepsOfDataRound = 6;
  // StepsOfField returns the cost of `set x.y` for the fields that x may have.
  [[nodiscard]] std::uint64_t StepsOfField(std::string_view object) {
    return SumOf(fields_, Variable(object).elements) / kNamesOfStep;
  }

  // AnyMacro returns the slot of all macros whose names are used as values. A call of a value may
  // call any of them.
  [[nodiscard]] std::size_t AnyMacro() const { return slots_.size() + 1; }
  void TakeMacro(std::string_view name);
  [[nodiscard]] bool IsTaken(std::size_t slot) const { return slots_.at(slot).taken; }
  // MakeJoiner records that code makes a joiner, whose calls return its argument.
  void MakeJoiner(const TemplateArguments& arguments);
  [[nodiscard]] bool joins() const { return joins_; }
  // IsJoiner tells whether code sets a name only by `set x = joiner(…)`, and otherwise only calls
  // it.
  [[nodiscard]] bool IsJoiner(std::string_view name) const {
    const std::size_t slot = SlotOf(name);
    return slot != kNoSlot && !slots_.at(slot).no_joiner;
  }

  // IsParameter tells whether a name is a parameter of the current macro.
  [[nodiscard]] bool IsParameter(std::string_view name) const;
  // FollowedParameter returns the position of a parameter, given its slot. It returns nullopt if
  // the macro sets the parameter.
  [[nodiscard]] std::optional<std::size_t> FollowedParameter(std::size_t slot) const;
  // GivenBy returns the argument that a name holds, or holds a part of.
  [[nodiscard]] std::optional<GivenName> GivenBy(std::string_view name) const;
  // CheckCaller checks a value that is stored: the caller of a macro must not be stored.
  void CheckCaller(const TemplateValue& kept);
  // MakeSpace records whether a statement sets a variable to a new namespace. MadeSpace tells
  // whether the current macro has done so.
  void MakeSpace(std::string_view name, const TemplateValue& value);
  [[nodiscard]] bool MadeSpace(std::string_view name) const;
  // NewSpace describes the namespace that a variable certainly holds: code outside of macros, or in
  // the same macro, made it of new values.
  struct NewSpace {
    std::uint32_t branch = 0;  // the branch that made it
    std::uint32_t last = 0;    // the last branch that had begun before
    std::size_t at = 0;
    bool clean = false;  // no other name can mean the values of its fields
  };
  [[nodiscard]] std::optional<NewSpace> SpaceOf(std::size_t slot) const;
  // Bind records that a statement sets a name. On this branch it no longer has the caller's value.
  // (In llama.cpp, a macro sees the variables of its caller.)
  void Bind(std::string_view name, const TemplateValue& value);
  // MissLoop records that the following code is in a loop over `value`.
  void MissLoop(const TemplateValue& value);
  void SetParameters(TemplateMacro& defined, std::vector<std::string_view> parameters);
  // HandedAs describes this value as an argument of a call at an offset in the template.
  [[nodiscard]] HandedPart HandedAs(const TemplateValue& value, std::size_t call_at) const;
  // EnterBranch and LeaveBranch enclose the code of a block, or of one branch of an `if`.
  void EnterBranch(bool of_macro);
  void LeaveBranch();
  [[nodiscard]] std::uint32_t branch() const { return branches_.empty() ? 0 : branches_.back(); }
  // Renew records that a statement sets a name on this branch.
  void Renew(std::string_view name);
  // RenewedHere lists the names that the innermost branch has renewed.
  [[nodiscard]] std::vector<std::size_t> RenewedHere() const;
  // JoinBranches records the names that each branch of an `if` has renewed.
  void JoinBranches(const std::vector<std::size_t>& slots);
  [[nodiscard]] TemplateValue Variable(std::string_view name);
  [[nodiscard]] TemplateValue VariableAt(std::size_t slot);
  void SetVariable(std::string_view name, const TemplateValue& value);
  // SetParameter passes a value to a parameter of the macro with this slot. kNoSlot means any
  // macro. (If an argument of a call has a name, that name is one variable in all macros.)
  void SetParameter(std::size_t of, std::string_view name, const TemplateValue& value);
  [[nodiscard]] bool IsSet(std::string_view name) const;
  // SetNamespace records that a variable has fields.
  void SetNamespace(std::string_view name);
  // Field returns the values of a field in all namespaces: `ns.a`, `namespace(a=…)`.
  [[nodiscard]] TemplateValue Field(std::string_view name);
  void SetField(std::string_view name, const TemplateValue& value);
  void SetFieldOf(std::string_view name, std::string_view field, const TemplateValue& value);
  [[nodiscard]] TemplateMacro* MacroNamed(std::string_view name);
  TemplateMacro* DefineMacro(std::string_view name);
  // HasCallBlock tells whether a call block passes its text to a macro.
  [[nodiscard]] bool HasCallBlock() const {
    const std::size_t slot = SlotOf("caller");
    return slot != kNoSlot && slots_.at(slot).macro != kNoSlot;
  }
  // HandAny passes an argument that has no named parameter. HandedAny returns the values of all
  // such arguments.
  void HandAny(const TemplateValue& value);
  [[nodiscard]] TemplateValue HandedAny();
  // MayGetAny tells whether a macro may get them: it is used as a value, or called with `*list`.
  // SpreadTo records the latter.
  [[nodiscard]] bool MayGetAny(std::size_t slot) const;
  void SpreadTo(std::size_t slot);
  // HandIn passes an argument to a macro. `position` counts from 0.
  void HandIn(TemplateMacro& callee, std::size_t position, const TemplateValue& value);
  // Gather adds to the values that are kept in one place for the whole template.
  enum class Pool : std::uint8_t {
    kStored,    // put into containers by methods: any container may hold them
    kLooped,    // iterated over by loops, for loop.previtem
    kArgument,  // passed to a macro that is not known by name
    kFields,    // of namespaces: in llama.cpp, namespaces have the methods of dictionaries
  };
  static constexpr std::size_t kPools = 4;
  void Gather(Pool pool, const TemplateValue& value);
  [[nodiscard]] const TemplateValue& Gathered(Pool pool) const {
    return pools_.at(static_cast<std::size_t>(pool));
  }
  void SetOutput(TemplateMacro& written, TemplateValue value, std::uint32_t writes);
  // KeepReads records the parts of other names, except its own parameters and variables, in the
  // output of a macro. KeepAnyReads does so for code that is called by `self` or `loop`.
  void KeepReads(TemplateMacro& written, const TemplateValue& output);
  void KeepAnyReads(const TemplateValue& output) { KeepReads(any_, output); }
  // AddReads adds to the output of a call the values that the macro reads besides its arguments.
  void AddReads(const TemplateMacro& called, TemplateValue& output);
  // AddAnyReads does so for a call of a value, which may be any macro.
  void AddAnyReads(TemplateValue& output);
  // Element returns an element, item or character of a value, including values that methods may
  // have put there.
  [[nodiscard]] TemplateValue Element(const TemplateValue& value) const;
  // Known returns a value as this reading treats it.
  [[nodiscard]] TemplateValue Known(TemplateValue value) const;

  // Hold records that the object of `holder` may be, hold or store the object of `held`.
  void Hold(std::size_t holder, const TemplateValue& held, TemplateHolding::How how,
            const JinjaToken& token);
  // StoreInto records that a method puts a value into a container. MayHoldStored tells whether a
  // value may hold such values: values of the conversation do only if a method stores into one of
  // them. AddStored adds them to values that are read from a container.
  void StoreInto(const TemplateValue& receiver);
  [[nodiscard]] bool MayHoldStored(const TemplateValue& value) const;
  void AddStored(TemplateValue& taken, const TemplateValue& from) const;
  // MayBeObject tells whether a variable may be a dictionary or message, not only a namespace.
  // StoreFields records that code sets fields of such an object: then any object may have fields.
  [[nodiscard]] bool MayBeObject(std::string_view name) const;
  void StoreFields();
  [[nodiscard]] bool stored_fields() const { return stored_fields_; }
  // KeepKey records a value that the template puts into a dictionary at a key. KeepKeys does so for
  // each possible key, KeepAnyKey for an unknown key. NarrowMember limits the sizes of an attribute
  // or item to those at its key.
  void KeepKey(std::string_view key, const TemplateValue& value);
  void KeepKeys(const TemplateValue& key, const TemplateValue& value);
  void KeepAnyKey(const TemplateValue& value);
  void NarrowMember(std::string_view key, TemplateValue& member) const;
  // Enlarge increases the size of the values that a method adds to.
  void Enlarge(const TemplateValue& receiver, const TemplateValue& by, bool element);
  // Grow records that a method adds to the value of a name. Named returns the value of a name, as
  // in TemplateValue::parts, or null if nothing sets it.
  [[nodiscard]] TemplateValue* Named(std::size_t name);
  void Grow(std::size_t into, const TemplateValue& by, bool element);
  // CountBlock counts a call of a block by `self`. TimesOfBlock returns how often any block runs.
  // KeepTimes records how often a macro runs. TimesHere returns how often the span runs, in all
  // calls. RoundsHere returns how often it runs in one call, because variables of a macro do not
  // outlast the call.
  void CountBlock();
  [[nodiscard]] std::uint64_t TimesOfBlock() const;
  void KeepTimes(std::size_t slot, std::uint64_t times);
  [[nodiscard]] std::uint64_t TimesHere() const;
  [[nodiscard]] std::uint64_t RoundsHere() const;
  // CountCaller counts a call of the current macro's caller.
  void CountCaller();
  // Charge counts steps of the current code for each round of the loops around it.
  void Charge(std::uint64_t steps);
  [[nodiscard]] TemplateWeight& Weight(std::size_t slot) {
    return weights_.at(slot == kNoSlot ? slots_.size() : slot);
  }

  TextStore store;
  std::vector<MacroCall> calls;
  std::vector<TemplateHolding> holdings;
  std::vector<TemplateGrowth> growths;  // by assignment
  std::vector<std::size_t> enlarged;    // names of objects that methods add to repeatedly
  // Names that are set from each other in successive rounds, sorted, each with the number of its
  // circle. They come from the last reading.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> circles;
  std::vector<TemplateOwnList> own_lists;
  std::vector<TemplateLoopedCall> looped_calls;
  std::vector<TemplateAdding> addings;
  std::vector<TemplateRemark> remarks;
  std::size_t macro = kNoSlot;    // the macro whose body is being read
  bool certain = true;            // the current span runs whenever that body runs
  bool repeats = false;           // the span is in a loop, macro or block
  std::uint64_t rounds = 1;       // of the loops around the span, if constants give them
  std::uint64_t data_rounds = 1;  // the same, if each loop over data has four rounds
  bool of_data = false;           // one of the loops is over data of the conversation
  std::size_t loops_of_data = 0;  // number of these loops
  std::size_t deepest = 0;        // nested operators of an expression in the span
  std::uint64_t folding = 0;      // in this reading; see kTemplateFolding
  std::size_t at = 0;             // offset of the span
  bool of_user = true;            // no condition around it requires another role
  HollowCases missed;             // hollow arguments for which conditions skip the span
  // Hollow arguments for which loops skip the span: they have no elements.
  HollowCases looped;
  TemplateChoice choice;
  std::size_t macro_branch = 0;  // branch of the macro's body
  // The values that the loops around the span iterate over, if they have names.
  std::vector<TemplateValue> loops;
  std::vector<std::uint32_t> loop_branches;
  std::uint32_t loop_branch = 0;  // branch of the innermost loop, or macro
  std::size_t call_blocks = 0;    // number of open call blocks
  std::size_t named_blocks = 0;   // `{% block %}`; as callees, all share the slot of that word
  std::uint64_t self_calls = 0;   // levels of blocks and loops that call themselves
  std::uint64_t loop_calls = 0;

 private:
  // Binding joins all values that statements of one macro give to a name.
  struct Binding {
    std::size_t macro_branch;
    GivenPart part;
  };
  struct Slot {
    std::string_view name;
    std::size_t variable = kNoSlot;
    std::size_t field = kNoSlot;
    std::size_t macro = kNoSlot;
    std::uint32_t bound = 0;    // the branch that sets it in this reading; 0 means none
    std::uint32_t renewed = 0;  // innermost open branch of a loop that renews it
    std::uint32_t origin = 0;   // index in `origins_`
    std::uint32_t key = 0;      // index in `key_sizes_`
    std::uint32_t sizes = 0;    // index in `round_sizes_`
    // One word, because a template may have very many names.
    std::uint32_t space : 26 = 0;        // index in `spaces_`
    bool object : 1 = false;             // a parameter that may be a dictionary or message
    bool read : 1 = false;               // code does not only set the name
    bool taken : 1 = false;              // the name of a macro is used as a value
    bool fields : 1 = false;             // statements set its fields
    bool spread : 1 = false;             // a call of that macro passes `*list`
    bool no_joiner : 1 = false;          // code does more than set it to a joiner and call it
    std::vector<Binding> bindings = {};  // by macro_branch, which is the same in each reading
  };
  // Origin lists the names that a variable was made of, in the current round of the loop.
  struct Origin {
    std::vector<TemplateValue::Part> parts = {};
    std::vector<TemplateValue::Part> all = {};  // made by all statements of the macro
    std::uint32_t branch = 0;                   // the first branch that sets it
    std::uint32_t macro = 0;                    // branch of the macro
    bool known = false;
    bool all_known = false;
  };
  // RoundSizes are the sizes that statements gave a variable since the current round of `loop`
  // began.
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
  // IsCarried tells whether the value of a name may come from an earlier round.
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

  // OwnSlot maps a parameter of a macro, given by the slots of both names, to its separate slot.
  // The separate slots follow those of all names.
  struct OwnSlot {
    std::size_t macro;
    std::size_t name;
    friend auto operator<=>(const OwnSlot&, const OwnSlot&) = default;
  };
  [[nodiscard]] std::size_t ParameterSlot(std::size_t of, std::string_view name) const;

  std::vector<Slot> slots_;  // by name, followed by those of `own_slots_`
  std::vector<OwnSlot> own_slots_;
  std::size_t names_ = 0;
  std::deque<TemplateValue> values_;
  std::vector<Origin> origins_;
  std::vector<RoundSizes> round_sizes_;
  std::vector<TemplateSizes> key_sizes_;  // the first is for any key
  std::vector<NewSpace> spaces_;
  std::deque<TemplateMacro> macros_;
  TemplateMacro any_;  // reads of macros, blocks and loops that call themselves, in total
  std::vector<TemplateWeight> weights_;  // by slot, of the code outside of macros, of AnyMacro()
  std::array<TemplateValue, kPools> pools_{};
  std::array<std::size_t, TemplateRemark::kKinds> told_{};
  std::vector<std::uint32_t> branches_;  // open branches, numbered in the order of their beginnings
  // Names that open branches have renewed, each with the branch that did so before.
  struct Renewal {
    std::uint32_t slot;
    std::uint32_t before;
    std::uint32_t branch;
  };
  std::vector<Renewal> renewals_;
  bool stored_outside_ = false;  // a method may store into an object that code did not make
  bool joins_ = false;           // code makes a joiner
  bool pops_ = false;
  bool stored_fields_ = false;  // code sets fields of an object that is not a namespace
  bool stores_ = false;         // code may put a value into an object of the conversation
  std::int64_t largest_ = 0;
  std::uint32_t branch_ = 0;
  std::size_t readings_ = 0;
  // Measured on llama.cpp v0.5.0 at start: 240,000 copies of a variable take 1.4 s.
  static constexpr std::uint64_t kNamesOfStep = 12;
  std::uint64_t variables_ = 0;        // names that statements set, and names of macros
  std::uint64_t most_parameters_ = 0;  // of one macro
  std::uint64_t fields_ = 0;
  bool own_field_ = false;             // the statement sets a field of a namespace of the macro
  std::uint64_t block_times_ = 1;      // according to the last reading
  std::uint64_t calls_of_blocks_ = 0;  // by code outside of blocks
  std::uint64_t calls_in_blocks_ = 0;
  bool changed_ = false;
  bool given_up_ = false;
};

// IsKey tells whether a text looks like a key of a message: a short name.
[[nodiscard]] bool IsKey(std::string_view text);
// IsOfEngine tells whether engine objects have an attribute of this name. Such attributes may hold
// more than one element: `cycler(x).items`, `d.keys().mapping`.
[[nodiscard]] bool IsOfEngine(std::string_view key);

}  // namespace ggufgate
