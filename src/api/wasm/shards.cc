// Shards of one model judged together. Each file has an instance of its own: what a set wants to
// know of a shard leaves one instance as bytes and enters the others, and each judges the set for
// its own file.

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

// Taken reads what BytesOf has written. The instance that wrote it has read a hostile file, so it
// is believed as little as that.
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

  // Count is a number of elements, of `size` bytes each, that are there.
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

// Gathered is the set that is being put together.
struct Gathered {
  ShardSet set;
  std::deque<ShardFacts> facts;    // by member, of those that have some
  std::deque<Findings> of_others;  // they go to the instances of these files
};

Gathered& TheSet() {
  static Gathered set;
  return set;
}

}  // namespace

// gate_shard_facts is what a set wants to know of this file; empty: it says nothing of shards.
GGUFGATE_EXPORT(std::uint32_t, gate_shard_facts) {
  const std::optional<ShardFacts> facts = ShardFactsOf(Current().judging->document());
  return Answer(facts ? BytesOf(*facts) : std::string());
}

// gate_shard_alone lets the file's line say that its set was not judged; of no shard it does not.
GGUFGATE_EXPORT(void, gate_shard_alone) {
  const std::optional<ShardFacts> facts = ShardFactsOf(Current().judging->document());
  if (facts && facts->count.value > 1) {
    Current().judging->verdict().lone_shard_of = facts->count.value;
  }
}

// gate_name_impossible adds that the file's name has numbers that no shard has.
GGUFGATE_EXPORT(void, gate_name_impossible, std::uint32_t number, std::uint32_t count) {
  const std::optional<ShardFacts> facts = ShardFactsOf(Current().judging->document());
  const Policy& policy = Current().judging->policy();
  FileVerdict& verdict = Current().judging->verdict();
  if (verdict.verdict == Verdict::kUndecided) return;
  JudgeImpossibleName({.stem = "", .number = number, .count = count}, facts ? &*facts : nullptr,
                      policy, verdict.findings);
  verdict.verdict = VerdictOf(verdict.findings, policy);
}

// gate_set_begin begins a set; of one that is `alone` nobody looked for the others.
GGUFGATE_EXPORT(void, gate_set_begin, const char* stem, std::uint32_t size, std::uint32_t count,
                std::int32_t alone) {
  TheSet() = {};
  TheSet().set = {
      .stem = std::string(stem, size), .count = count, .members = {}, .alone = alone != 0};
}

// gate_set_member adds a file, by rising number; gives 0 where its facts are none.
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

// gate_set_judge adds to this file's findings what is wrong with the set.
GGUFGATE_EXPORT(void, gate_set_judge) {
  const Policy& policy = Current().judging->policy();
  FileVerdict& verdict = Current().judging->verdict();
  JudgeShardSet(TheSet().set, policy);
  if (verdict.verdict == Verdict::kAccept) verdict.verdict = VerdictOf(verdict.findings, policy);
  TheSet() = {};
}
