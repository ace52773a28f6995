#include "gate/processes/second_opinion.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "bytes/byte_order.h"
#include "check/verdict.h"
#include "gate/reading/input.h"
#include "gate/reading/prefix_memory.h"
#include "witness/witness.h"

namespace ggufgate {
namespace {

constexpr std::array kReadings = {witness::Reading::kGate, witness::Reading::kLlamaCpp,
                                  witness::Reading::kSpec, witness::Reading::kDiffusion};
static_assert(kReadings.size() == kProfileCount);

// The witness always uses the default limits, and knows only little-endian files.
struct Bound {
  RuleId rule;
  std::uint64_t Limits::* limit;
};
constexpr std::array kBounds = {
    Bound{RuleId::kKeyLength, &Limits::key_bytes},
    Bound{RuleId::kAlignmentLarge, &Limits::alignment},
    Bound{RuleId::kTensorNameLength, &Limits::tensor_name_bytes},
    Bound{RuleId::kArrayNested, &Limits::array_depth},
};

bool IsAllowed(RuleId rule, const Policy& policy) {
  if (!Rejects(rule, policy)) return true;
  if (rule == RuleId::kByteOrder && policy.target != TargetOrder::kLittle) return true;
  const Limits usual;
  const bool other_limit = std::ranges::any_of(kBounds, [&](const Bound& bound) {
    return bound.rule == rule && policy.limits.*bound.limit > usual.*bound.limit;
  });
  return other_limit ||
         std::ranges::any_of(policy.suppressions, [rule](const Suppression& suppression) {
           return suppression.rule == rule;
         });
}

std::uint64_t FrontFor(SecondOpinion wanted, const Policy& policy) {
  return wanted == SecondOpinion::kAlways ? policy.limits.metadata_bytes : kSmallFront;
}

// Read reads at most `most` bytes. The first read covers the metadata of most small files. For a
// remote source it doubles the size each time, because it does not know the length of the metadata.
Opinion Read(const ByteSource& source, std::uint64_t most, const Policy& policy) {
  constexpr std::uint64_t kFirst = std::uint64_t{64} << 10;
  most = std::min(most, source.size());
  const std::uint64_t first = std::min(source.far_away() ? kSmallFront : kFirst, most);
  const auto next = [&](std::uint64_t after) {
    return source.far_away() ? std::min(2 * after, most) : most;
  };
  PrefixMemory memory(first);  // enough for most files
  memory.FillSoon(first);
  std::uint64_t held = 0;
  for (std::uint64_t wanted = first;; wanted = next(wanted)) {
    if (wanted > memory.size()) {
      PrefixMemory larger(most);  // uses memory only when it is filled
      std::ranges::copy(memory.bytes().first(held), larger.bytes().begin());
      memory = std::move(larger);
    }
    if (!source.ReadAt(held, memory.bytes().subspan(held, wanted - held)).complete()) {
      return {.kind = Opinion::Kind::kFailed};
    }
    held = wanted;
    const witness::Verdict verdict =
        witness::JudgeFront(memory.bytes().first(held), source.size(),
                            kReadings.at(static_cast<std::size_t>(policy.profile)));
    if (verdict.file.beyond && held < most) continue;
    if (verdict.file.beyond) return {};
    Opinion opinion{.kind = Opinion::Kind::kGiven,
                    .version = verdict.file.version,
                    .metadata_keys = verdict.file.entries.size(),
                    .tensors = verdict.file.tensors.size()};
    for (const witness::Complaint& complaint : verdict.complaints) {
      if (policy.for_ollama && witness::IsTypeOfOllama(complaint, verdict.file)) continue;
      const Rule* rule = complaint.fatal ? FindRule(complaint.rule) : nullptr;
      if (rule == nullptr) continue;
      if (std::ranges::find(opinion.broken, rule->id) == opinion.broken.end()) {
        opinion.broken.push_back(rule->id);
      }
    }
    return opinion;
  }
}

absl::Status Disagree(std::string_view how) {
  return absl::InternalError(
      absl::StrFormat("the second reader disagrees: %s; the file changed, or this is a bug of "
                      "ggufgate or an attack",
                      how));
}

}  // namespace

Opinion AskWitness(const std::string& path, SecondOpinion wanted, const Policy& policy) {
  if (wanted == SecondOpinion::kNever || path == "-") return {};
  const absl::StatusOr<Input> input = Input::Open(path);
  if (!input.ok()) return {.kind = Opinion::Kind::kFailed};
  return AskWitness(input->source(), wanted, policy);
}

Opinion AskWitness(const ByteSource& source, SecondOpinion wanted, const Policy& policy) {
  if (wanted == SecondOpinion::kNever) return {};
  return Read(source, FrontFor(wanted, policy), policy);
}

absl::Status Contradiction(const FileReport& report, const Opinion& opinion, const Policy& policy) {
  if (report.verdict != Verdict::kAccept) return absl::OkStatus();
  switch (opinion.kind) {
    case Opinion::Kind::kNone:
      return absl::OkStatus();
    case Opinion::Kind::kFailed:
      return Disagree("it finds that the file cannot be read");
    case Opinion::Kind::kGiven:
      break;
  }
  for (const RuleId rule : opinion.broken) {
    if (!IsAllowed(rule, policy))
      return Disagree(absl::StrFormat("it finds a breach of %s", RuleOf(rule).slug));
  }
  const Summary& summary = report.summary;
  if (summary.version != opinion.version || summary.metadata_keys != opinion.metadata_keys ||
      summary.tensors != opinion.tensors) {
    return Disagree("it finds other records");
  }
  return absl::OkStatus();
}

std::vector<std::uint8_t> WriteOpinion(const Opinion& opinion) {
  std::vector<std::uint8_t> bytes;
  const auto put = [&bytes](std::uint64_t number) {
    bytes.resize(bytes.size() + sizeof(number));
    Store(number, ByteOrder::kLittle, MutableBytes(bytes).last(sizeof(number)));
  };
  put(static_cast<std::uint64_t>(opinion.kind));
  put(opinion.version);
  put(opinion.metadata_keys);
  put(opinion.tensors);
  for (const RuleId rule : opinion.broken) put(static_cast<std::uint64_t>(rule));
  return bytes;
}

std::optional<Opinion> ReadOpinion(Bytes bytes) {
  constexpr std::size_t kNumber = sizeof(std::uint64_t);
  constexpr std::size_t kLeast = 4;
  if (bytes.size() % kNumber != 0) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (; !bytes.empty() && numbers.size() <= kLeast + AllRules().size();
       bytes = bytes.subspan(kNumber)) {
    numbers.push_back(Load<std::uint64_t>(bytes, ByteOrder::kLittle));
  }
  if (!bytes.empty() || numbers.size() < kLeast) return std::nullopt;
  if (numbers[0] > static_cast<std::uint64_t>(Opinion::Kind::kFailed) || numbers[1] > UINT32_MAX) {
    return std::nullopt;
  }
  Opinion opinion{.kind = static_cast<Opinion::Kind>(numbers[0]),
                  .version = static_cast<std::uint32_t>(numbers[1]),
                  .metadata_keys = numbers[2],
                  .tensors = numbers[3]};
  for (const std::uint64_t rule : std::span(numbers).subspan(kLeast)) {
    if (rule >= AllRules().size()) return std::nullopt;
    opinion.broken.push_back(static_cast<RuleId>(rule));
  }
  return opinion;
}

}  // namespace ggufgate
