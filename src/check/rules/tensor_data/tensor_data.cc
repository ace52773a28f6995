// Rules about the values in the tensors. One scan finds the faults that they report: data_scan.cc.

#include "check/data_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "bytes/checked.h"
#include "bytes/grouped.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tensor_data/expert_tables.h"
#include "check/verdict.h"

namespace ggufgate {
namespace {

// WordOf prints a number in the shortest form that reads back exactly.
template <typename Float>
std::string WordOf(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return std::signbit(value) ? "-inf" : "inf";
  // MemorySanitizer does not see the writes of to_chars(), which is compiled into the standard
  // library. So the text is filled with zeros, and ends at the first one.
  std::array<char, 32> text{};
  std::to_chars(text.data(), std::to_address(text.end()), value);
  return {text.begin(), std::ranges::find(text, '\0')};
}

std::string HexOf(std::uint64_t raw, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(digits, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, raw >>= 4) {
    *digit = kDigits[raw & 15];
  }
  return "0x" + text;
}

// ValueText prints a scale or value: "nan (0x7e00)". 16-bit floats are reported only if they are
// not finite. Moving the bits of such a float makes an f32.
std::string ValueText(const DataHit& hit) {
  const auto float_of = [](std::uint64_t bits) {
    return WordOf(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  };
  switch (hit.kind) {
    case FieldKind::kF64:
      return WordOf(std::bit_cast<double>(hit.raw)) + " (" + HexOf(hit.raw, 16) + ")";
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return float_of(hit.raw) + " (" + HexOf(hit.raw, 8) + ")";
    case FieldKind::kBF16:
      return float_of(hit.raw << 16) + " (" + HexOf(hit.raw, 4) + ")";
    case FieldKind::kE8M0:  // 2 to the power of (this - 127)
      return (hit.raw == 255 ? "nan" : "2^" + std::to_string(hit.raw - 127)) + " (" +
             HexOf(hit.raw, 2) + ")";
    default: {  // f16, stored whole or in parts
      constexpr std::uint64_t kInfinity = 0x7F80'0000;
      const std::uint64_t sign = (hit.raw & 0x8000) << 16;
      return float_of(sign | kInfinity | (hit.raw & 0x3FF)) + " (" + HexOf(hit.raw, 4) + ")";
    }
  }
}

// IndexReport is about a number in a table of experts, which has one row per token.
Sink::Report IndexReport(const Context& context, const DataFound& found, Wording wording) {
  const Document& document = context.document;
  const TensorInfo& tensor = document.tensors.at(found.tensor);
  Subject subject = TensorSubject(document, tensor);
  subject.element = found.hit.element;
  const auto& tables =
      context.cache.Get<ExpertTables>([&] { return ExpertTablesOf(document, context.policy); });
  const auto expert = static_cast<std::int32_t>(static_cast<std::uint32_t>(found.hit.raw));
  return {.where = {.begin = found.hit.at, .size = found.hit.size},
          .subject = std::move(subject),
          .observed = Fact(GroupedSigned(expert)),
          .allowed = std::uint64_t{tables.experts} - 1,
          .other = found.hit.element / tensor.dims[0],
          .wording = wording};
}

Sink::Report ReportOf(const Context& context, const DataFound& found, Wording wording) {
  if (found.hit.fault == DataFault::kIndexBeyond) return IndexReport(context, found, wording);
  const Document& document = context.document;
  Subject subject = TensorSubject(document, document.tensors.at(found.tensor));
  subject.element = found.hit.element;
  const bool number = FieldBytes(found.hit.kind) == 1 && found.hit.kind != FieldKind::kE8M0;
  return {.where = {.begin = found.hit.at, .size = found.hit.size},
          .subject = std::move(subject),
          .observed = number ? Fact(found.hit.raw) : Fact(ValueText(found.hit)),
          .other = found.hit.block,
          .wording = wording};
}

struct WordedFault {
  DataFault fault;
  Wording wording;
};

constexpr std::array<WordedFault, 3> kNotFinite = {
    {{DataFault::kValueNotFinite, TensorValueNotFiniteWording::kValue},
     {DataFault::kScaleNotFinite, TensorValueNotFiniteWording::kScale},
     {DataFault::kMinimumNotFinite, TensorValueNotFiniteWording::kMinimum}}};
constexpr std::array<WordedFault, 1> kNoExpert = {
    {{DataFault::kIndexBeyond, ExpertIndexWording::kNumber}}};
constexpr std::array<WordedFault, 5> kReserved = {
    {{DataFault::kScaleOverflows, TensorEncodingReservedWording::kScaleOverflows},
     {DataFault::kScaleSigned, TensorEncodingReservedWording::kScaleSigned},
     {DataFault::kScaleNan, TensorEncodingReservedWording::kScaleNan},
     {DataFault::kTernaryCode, TensorEncodingReservedWording::kTernaryCode},
     {DataFault::kSignedMinimum, TensorEncodingReservedWording::kSignedMinimum}}};

bool AnyOf(std::span<const WordedFault> faults, std::span<const std::uint64_t> counts) {
  return std::ranges::any_of(faults, [&](const WordedFault& worded) {
    return counts[static_cast<std::size_t>(worded.fault)] > 0;
  });
}

bool RejectsAlways(RuleId rule, const Policy& policy) {
  return Rejects(rule, policy) &&
         std::ranges::none_of(policy.suppressions, [&](const Suppression& suppression) {
           return suppression.rule == rule && suppression.sha256.empty();
         });
}

// AddFaults reports faults by file offset. It counts those that the scan did not keep.
void AddFaults(const Context& context, std::span<const WordedFault> faults, Wording unlisted,
               Sink& sink) {
  struct Worded {
    const DataFound* found;
    Wording wording;
  };
  std::vector<Worded> all;
  std::uint64_t more = 0;
  for (const WordedFault& worded : faults) {
    const auto fault = static_cast<std::size_t>(worded.fault);
    const std::vector<DataFound>& first = context.data.first.at(fault);
    for (const DataFound& found : first) all.push_back({&found, worded.wording});
    more += context.data.counts.at(fault) - first.size();
  }
  if (all.empty()) return;
  std::ranges::sort(all, {}, [](const Worded& worded) {
    return std::tuple(worded.found->hit.at, worded.found->hit.element);
  });
  for (const Worded& worded : all) sink.Add(ReportOf(context, *worded.found, worded.wording));
  // If all kept faults are suppressed by tensor, the others may be anywhere in the data.
  const ByteRange data =
      ByteRange::Between(*context.document.data_begin, context.document.file_size);
  sink.CountMore(more,
                 {.where = data, .subject = FileSubject(), .observed = more, .wording = unlisted});
}

}  // namespace

void CheckTensorValueNotFinite(const Context& context, Sink& sink) {
  AddFaults(context, kNotFinite, TensorValueNotFiniteWording::kUnlisted, sink);
}

void CheckTensorEncodingReserved(const Context& context, Sink& sink) {
  AddFaults(context, kReserved, TensorEncodingReservedWording::kUnlisted, sink);
}

void CheckExpertIndex(const Context& context, Sink& sink) {
  AddFaults(context, kNoExpert, ExpertIndexWording::kUnlisted, sink);
}

bool RejectsAtOnce(std::span<const std::uint64_t> counts, const Policy& policy) {
  return (AnyOf(kNotFinite, counts) && RejectsAlways(RuleId::kTensorValueNotFinite, policy)) ||
         (AnyOf(kReserved, counts) && RejectsAlways(RuleId::kTensorEncodingReserved, policy)) ||
         (AnyOf(kNoExpert, counts) && RejectsAlways(RuleId::kExpertIndex, policy));
}

namespace {

// An unfinished download was reported with 45 %. The share is a choice: no published weights were
// read to find the largest harmless one.
constexpr std::uint64_t kUnfinishedPercent = 25;

// CheckTail: an incomplete download is often zero from some offset to the end of the file.
void CheckTail(const Context& context, Sink& sink) {
  const Document& document = context.document;
  constexpr std::uint64_t kPercent = 100;
  constexpr std::uint64_t kLeastPercent = 10;
  std::vector<bool> zero(document.tensors.size());
  for (const std::uint64_t index : context.data.all_zero) zero.at(index) = true;
  std::vector<std::size_t> by_place;  // the tensors with data
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    if (context.extents.at(i).bytes != std::uint64_t{0}) by_place.push_back(i);
  }
  std::ranges::sort(by_place, {},
                    [&](std::size_t i) { return std::tuple(document.tensors[i].offset, i); });
  const auto sound =
      std::find_if(by_place.rbegin(), by_place.rend(), [&](std::size_t i) { return !zero[i]; });
  const auto tail = static_cast<std::size_t>(sound - by_place.rbegin());
  if (tail < 2 || sound == by_place.rend()) return;
  std::uint64_t bytes = 0;  // without the padding between tensors
  for (auto one = by_place.rbegin(); one != sound; ++one) {
    bytes = CheckedAdd(bytes, context.extents.at(*one).bytes.value_or(0)).value_or(UINT64_MAX);
  }
  const TensorInfo& first = document.tensors[by_place[by_place.size() - tail]];
  const std::uint64_t begin = *document.data_begin + first.offset;
  if (begin >= document.file_size || bytes > document.file_size) return;  // overlapping tensors
  const std::optional<std::uint64_t> exact = CheckedMul(bytes, kPercent);
  const std::uint64_t percent =
      exact ? *exact / document.file_size : bytes / (document.file_size / kPercent);
  if (percent < kLeastPercent || IsSidecar(document)) return;
  const ByteRange where = ByteRange::Between(begin, document.file_size);
  const Subject subject = TensorSubject(document, first);
  if (percent >= kUnfinishedPercent) {
    return sink.Add({.where = where,
                     .subject = subject,
                     .observed = percent,
                     .allowed = kUnfinishedPercent,
                     .wording = TensorAllZeroWording::kUnfinished});
  }
  sink.Add({.where = where,
            .subject = subject,
            .observed = bytes,
            .other = percent,
            .wording = TensorAllZeroWording::kTail,
            .at_most = Severity::kWarning});
}

}  // namespace

// In many models, an unused bias is zero.
void CheckTensorAllZero(const Context& context, Sink& sink) {
  const Document& document = context.document;
  CheckTail(context, sink);
  for (const std::uint64_t index : context.data.all_zero) {
    const TensorInfo& tensor = document.tensors.at(index);
    if (tensor.name.ends_with("bias")) continue;
    const std::uint64_t bytes = context.extents.at(index).bytes.value_or(0);
    sink.Add({.where = {.begin = *document.data_begin + tensor.offset, .size = bytes},
              .subject = TensorSubject(document, tensor),
              .observed = bytes,
              .wording = TensorAllZeroWording::kTensor,
              .at_most = Severity::kNote});
  }
}

}  // namespace ggufgate
