// Checks the shards of one model together. Each file has a separate instance. The facts of a shard
// leave its instance as bytes and enter the others, and each instance checks the set for its own
// file.

#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "api/wasm/module.h"
#include "check/shards/shard_set.h"
#include "check/verdict.h"

using namespace ggufgate;
using module::Answer;
using module::Current;

namespace {

void Put(std::string& out, std::uint64_t number) {
  char bytes[sizeof number];
  std::memcpy(&bytes[0], &number, sizeof number);
  out.append(&bytes[0], sizeof number);
}

void PutField(std::string& out, const ShardFacts::Field& field) {
  for (const std::uint64_t number : {field.entry, field.where.begin, field.where.size, field.value})
    Put(out, number);
}

std::string BytesOf(const ShardFacts& facts) {
  std::string out;
  PutField(out, facts.number);
  PutField(out, facts.count);
  Put(out, facts.tensors_of_all.has_value() ? 1 : 0);
  PutField(out, facts.tensors_of_all.value_or(ShardFacts::Field()));
  Put(out, facts.tensors);
  Put(out, facts.names.size());
  out += facts.names;
  Put(out, facts.directory.size());
  for (const ShardFacts::Tensor& tensor : facts.directory) {
    for (const std::uint64_t number :
         {tensor.name.begin, tensor.name.size, tensor.index, tensor.begin}) {
      Put(out, number);
    }
    for (const std::uint64_t dim : tensor.dims) Put(out, dim);
    Put(out, tensor.dimension_count);
    Put(out, tensor.type_id);
  }
  Put(out, facts.keys.size());
  out += facts.keys;
  Put(out, facts.key_places.size());
  for (const ShardFacts::Key& key : facts.key_places) {
    Put(out, key.entry);
    Put(out, key.begin);
  }
  Put(out, facts.key_bytes);
  return out;
}

// Taken decodes the output of BytesOf. The instance that encoded it has read an untrusted file, so
// its bytes are untrusted, too.
class Taken {
 public:
  explicit Taken(std::string_view bytes) : left_(bytes) {}

  std::optional<ShardFacts> Facts() {
    ShardFacts facts;
    facts.number = Field();
    facts.count = Field();
    const bool has_total = Number() != 0;
    const ShardFacts::Field total = Field();
    if (has_total) facts.tensors_of_all = total;
    facts.tensors = Number();
    facts.names = Text();
    facts.directory.resize(Count(kTensor));
    for (ShardFacts::Tensor& tensor : facts.directory) {
      tensor.name = {.begin = Number(), .size = Number()};
      tensor.index = Number();
      tensor.begin = Number();
      for (std::uint64_t& dim : tensor.dims) dim = Number();
      tensor.dimension_count = Small();
      tensor.type_id = Small();
    }
    facts.keys = Text();
    facts.key_places.resize(Count(2 * kNumber));
    for (ShardFacts::Key& key : facts.key_places) key = {.entry = Number(), .begin = Number()};
    facts.key_bytes = Number();
    if (!good_ || !left_.empty() || !facts.IsSound()) return std::nullopt;
    return facts;
  }

 private:
  static constexpr std::size_t kNumber = sizeof(std::uint64_t);
  static constexpr std::size_t kTensor = (4 + kReadDimensions + 2) * kNumber;

  std::uint64_t Number() {
    std::uint64_t number = 0;
    good_ = good_ && left_.size() >= sizeof number;
    if (!good_) return 0;
    std::memcpy(&number, left_.data(), sizeof number);
    left_.remove_prefix(sizeof number);
    return number;
  }

  std::uint32_t Small() {
    const std::uint64_t number = Number();
    good_ = good_ && number <= UINT32_MAX;
    return static_cast<std::uint32_t>(number);
  }

  // Count reads a number of elements of `size` bytes each, and makes sure that so many are left.
  std::uint64_t Count(std::size_t size) {
    const std::uint64_t count = Number();
    good_ = good_ && count <= left_.size() / size;
    return good_ ? count : 0;
  }

  std::string Text() {
    const std::uint64_t size = Count(1);
    if (!good_) return {};
    std::string text(left_.substr(0, size));
    left_.remove_prefix(size);
    return text;
  }

  ShardFacts::Field Field() {
    ShardFacts::Field field;
    field.entry = Number();
    field.where.begin = Number();
    field.where.size = Number();
    field.value = Number();
    return field;
  }

  std::string_view left_;
  bool good_ = true;
};

// Gathered is the set while it is being assembled.
struct Gathered {
  ShardSet set;
  std::deque<ShardFacts> facts;    // for the members that have facts
  std::deque<Findings> of_others;  // findings about other files, for their instances
};

Gathered& TheSet() {
  static Gathered set;
  return set;
}

}  // namespace

// gate_shard_facts returns the facts of this file for its set, or an empty text if the file is not
// a shard.
GGUFGATE_EXPORT(std::uint32_t, gate_shard_facts) {
  const std::optional<ShardFacts> facts = ShardFactsOf(Current().judging->document());
  return Answer(facts ? BytesOf(*facts) : std::string());
}

// gate_shard_alone notes for the report that the set of this shard was not checked. It does nothing
// for other files.
GGUFGATE_EXPORT(void, gate_shard_alone) {
  const std::optional<ShardFacts> facts = ShardFactsOf(Current().judging->document());
  if (facts && facts->count.value > 1) {
    Current().judging->verdict().lone_shard_of = facts->count.value;
  }
}

// gate_name_impossible adds a finding if no shard can have the numbers in the file's name.
GGUFGATE_EXPORT(void, gate_name_impossible, std::uint32_t number, std::uint32_t count) {
  const std::optional<ShardFacts> facts = ShardFactsOf(Current().judging->document());
  const Policy& policy = Current().judging->policy();
  FileVerdict& verdict = Current().judging->verdict();
  if (verdict.verdict == Verdict::kUndecided) return;
  JudgeImpossibleName({.stem = "", .number = number, .count = count}, facts ? &*facts : nullptr,
                      policy, verdict.findings);
  verdict.verdict = VerdictOf(verdict.findings, policy);
}

// gate_set_begin begins a set. If it is `alone`, the other shards were not searched for.
GGUFGATE_EXPORT(void, gate_set_begin, const char* stem, std::uint32_t size, std::uint32_t count,
                std::int32_t alone) {
  TheSet() = {};
  TheSet().set = {
      .stem = std::string(stem, size), .count = count, .members = {}, .alone = alone != 0};
}

// gate_set_member adds a file; the numbers must increase. It returns 0 if its facts are invalid.
GGUFGATE_EXPORT(std::int32_t, gate_set_member, const char* name, std::uint32_t name_size,
                std::uint32_t number, const char* facts, std::uint32_t facts_size,
                std::int32_t unsound, std::int32_t own) {
  Gathered& gathered = TheSet();
  ShardMember member{.file = std::string(name, name_size), .number = number};
  member.unsound = unsound != 0;
  if (facts_size > 0) {
    std::optional<ShardFacts> taken = Taken(std::string_view(facts, facts_size)).Facts();
    if (!taken) return 0;
    member.facts = &gathered.facts.emplace_back(*std::move(taken));
  }
  member.findings =
      own != 0 ? &Current().judging->verdict().findings : &gathered.of_others.emplace_back();
  gathered.set.members.push_back(std::move(member));
  return 1;
}

// gate_set_judge adds the findings of the set to those of this file.
GGUFGATE_EXPORT(void, gate_set_judge) {
  const Policy& policy = Current().judging->policy();
  FileVerdict& verdict = Current().judging->verdict();
  JudgeShardSet(TheSet().set, policy);
  if (verdict.verdict == Verdict::kAccept) verdict.verdict = VerdictOf(verdict.findings, policy);
  TheSet() = {};
}
