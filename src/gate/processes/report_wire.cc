#include "gate/processes/report_wire.h"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "check/rule.h"
#include "check/verdict.h"
#include "format/contracts/contract_table.h"
#include "parse/model.h"
#include "remote/remote_facts.h"

namespace ggufgate {
namespace {

// Number of causes in causes.def.
constexpr std::uint64_t kCauses = 0
#define GGUFGATE_CAUSE(name, slug, happened, advice) +1
#include "check/cause/causes.def"
#undef GGUFGATE_CAUSE
    ;

constexpr std::uint64_t kSections = 4;            // Place::Section
constexpr std::uint64_t kVerdicts = 3;            // Verdict
constexpr std::uint64_t kStatusCodes = 17;        // absl::StatusCode
constexpr std::uint64_t kLongestMessage = 65536;  // bytes of a problem or a reason
constexpr std::uint64_t kDigestCharacters = 64;
// Minimum size of an encoded finding: three enumerators, range, subject, cause, facts.
constexpr std::uint64_t kLeastFinding = 100;
// Size of an encoded tensor of a shard: name, offset, dimensions, their number and the type.
constexpr std::uint64_t kShardTensor = (4 + kReadDimensions + 1) * sizeof(std::uint64_t);

// Writer and Reader have the same functions, so one function Exchange() defines the format for
// both.
class Writer {
 public:
  static constexpr bool kReads = false;

  template <typename T>
  void Number(const T& value) {
    out_.Put(value);
  }
  // Encodes one of the first `count` values of an enumeration.
  template <typename T>
  void OneOf(const T& value, std::uint64_t /*count*/) {
    out_.Put(static_cast<std::uint64_t>(value));
  }
  void Flag(const bool& value) { out_.Put(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void Text(const std::string& text, std::uint64_t /*longest*/) { out_.PutString(text); }
  // Encodes the number of elements. Each takes at least `least` bytes.
  template <typename T>
  void Count(const std::vector<T>& list, std::uint64_t /*least*/) {
    out_.Put(std::uint64_t{list.size()});
  }

  [[nodiscard]] std::vector<std::uint8_t> Take() { return out_.Take(); }

 private:
  Encoder out_{ByteOrder::kLittle};
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(Bytes bytes) : rest_(bytes) {}

  template <typename T>
  void Number(T& value) {
    if (rest_.size() < sizeof(T)) return Fail();
    value = Load<T>(rest_, ByteOrder::kLittle);
    rest_ = rest_.subspan(sizeof(T));
  }
  template <typename T>
  void OneOf(T& value, std::uint64_t count) {
    std::uint64_t number = 0;
    Number(number);
    if (number >= count) return Fail();
    value = static_cast<T>(number);
  }
  void Flag(bool& value) {
    std::uint8_t byte = 0;
    Number(byte);
    if (byte > 1) return Fail();
    value = byte == 1;
  }
  void Text(std::string& text, std::uint64_t longest) {
    std::uint64_t size = 0;
    Number(size);
    if (size > longest || size > rest_.size()) return Fail();
    text = AsText(rest_.first(size));
    rest_ = rest_.subspan(size);
  }
  // Allocates elements only if enough bytes are left for them.
  template <typename T>
  void Count(std::vector<T>& list, std::uint64_t least) {
    std::uint64_t count = 0;
    Number(count);
    if (count > rest_.size() / least) return Fail();
    list.resize(count);
  }

  void Fail() {
    failed_ = true;
    rest_ = {};
  }
  [[nodiscard]] bool Whole() const { return !failed_ && rest_.empty(); }

 private:
  Bytes rest_;
  bool failed_ = false;
};

// --- what is in a report -------------------------------------------------------------------------
//
// `A` is a Writer and `T` const, or `A` a Reader that fills in.

// Encodes whether there is a value, and then the value by `exchange`.
template <typename A, typename T, typename Exchange>
void Optional(A& archive, T& value, const Exchange& exchange) {
  bool has = value.has_value();
  archive.Flag(has);
  if constexpr (A::kReads) {
    if (has) value = typename T::value_type{};
  }
  if (has) exchange(*value);
}

template <typename A, typename T>
void ExchangeRange(A& archive, T& range) {
  archive.Number(range.begin);
  archive.Number(range.size);
  if constexpr (A::kReads) {
    if (!range.FitsIn(std::numeric_limits<std::uint64_t>::max())) archive.Fail();
  }
}

template <typename A, typename T>
void ExchangeFact(A& archive, T& fact) {
  std::size_t kind = fact.index();
  archive.OneOf(kind, std::variant_size_v<Fact>);
  if constexpr (A::kReads) {
    if (kind == 1) fact.template emplace<1>();
    if (kind == 2) fact.template emplace<2>();
  }
  if (auto* number = std::get_if<std::uint64_t>(&fact)) archive.Number(*number);
  if (auto* text = std::get_if<std::string>(&fact)) archive.Text(*text, kLongestMessage);
}

template <typename A, typename T>
void ExchangeFinding(A& archive, T& finding) {
  archive.OneOf(finding.rule, AllRules().size());
  archive.OneOf(finding.severity, kSeverityCount);
  archive.OneOf(finding.wording, RuleOf(finding.rule).messages.size());
  ExchangeRange(archive, finding.where);
  archive.OneOf(finding.subject.section, kSections);
  archive.Number(finding.subject.index);
  archive.Text(finding.subject.name, Subject::kLongestText);
  archive.Number(finding.subject.element);
  for (auto* fact : {&finding.observed, &finding.allowed, &finding.other}) {
    ExchangeFact(archive, *fact);
  }
  archive.OneOf(finding.cause.kind, kCauses);
  archive.Number(finding.cause.a);
  archive.Number(finding.cause.b);
  archive.Text(finding.cause.other, kLongestMessage);
  Optional(archive, finding.suppression,
           [&](auto& reason) { archive.Text(reason, kLongestMessage); });
  archive.Count(finding.releases, sizeof(std::uint64_t));
  for (auto& release : finding.releases) archive.Text(release, kLongestMessage);
}

template <typename A, typename T>
void ExchangeCounts(A& archive, T& counts) {
  archive.Count(counts, sizeof(std::uint64_t));
  for (auto& count : counts) archive.Number(count);
}

template <typename A, typename T>
void ExchangeField(A& archive, T& field) {
  archive.Number(field.entry);
  ExchangeRange(archive, field.where);
  archive.Number(field.value);
}

template <typename A, typename T>
void ExchangeShard(A& archive, T& shard) {
  ExchangeField(archive, shard.number);
  ExchangeField(archive, shard.count);
  Optional(archive, shard.tensors_of_all, [&](auto& field) { ExchangeField(archive, field); });
  archive.Number(shard.tensors);
  archive.Text(shard.names, kMostReportBytes);
  archive.Count(shard.directory, kShardTensor);
  for (auto& tensor : shard.directory) {
    ExchangeRange(archive, tensor.name);
    archive.Number(tensor.index);
    archive.Number(tensor.begin);
    for (auto& dim : tensor.dims) archive.Number(dim);
    archive.Number(tensor.dimension_count);
    archive.Number(tensor.type_id);
  }
  archive.Text(shard.keys, kMostReportBytes);
  archive.Count(shard.key_places, 2 * sizeof(std::uint64_t));
  for (auto& key : shard.key_places) {
    archive.Number(key.entry);
    archive.Number(key.begin);
  }
  archive.Number(shard.key_bytes);
  if constexpr (A::kReads) {
    if (!shard.IsSound()) archive.Fail();
  }
}

template <typename A, typename T>
void ExchangeSummary(A& archive, T& summary) {
  archive.Number(summary.version);
  archive.Text(summary.architecture, Subject::kLongestText);
  archive.Text(summary.sidecar, Subject::kLongestText);
  archive.Number(summary.rank);
  archive.Number(summary.metadata_keys);
  archive.Number(summary.tensors);
  archive.Number(summary.parameters);
  archive.Text(summary.main_type, Subject::kLongestText);
  archive.Flag(summary.mixed_types);
}

template <typename A, typename T>
void ExchangeIdentity(A& archive, T& identity) {
  archive.Number(identity.size);
  archive.Number(identity.device);
  archive.Number(identity.inode);
  archive.Number(identity.modified_ns);
  archive.Number(identity.changed_ns);
}

template <typename A, typename T>
void ExchangeRemote(A& archive, T& facts) {
  archive.Number(facts.size);
  archive.Number(facts.fetched);
  archive.Number(facts.requests);
  for (auto* text : {&facts.entity, &facts.linked_entity, &facts.modified}) {
    archive.Text(*text, kLongestFact);
  }
}

template <typename A, typename T>
void ExchangeProblem(A& archive, T& problem) {
  auto code = static_cast<std::uint64_t>(problem.code());
  std::string message(problem.message());
  archive.OneOf(code, kStatusCodes);
  archive.Text(message, kLongestMessage);
  if constexpr (A::kReads) problem = absl::Status(static_cast<absl::StatusCode>(code), message);
}

template <typename A, typename T>
void Exchange(A& archive, T& report) {
  archive.OneOf(report.verdict, kVerdicts);
  ExchangeProblem(archive, report.problem);
  archive.Count(report.findings.list, kLeastFinding);
  for (auto& finding : report.findings.list) ExchangeFinding(archive, finding);
  ExchangeCounts(archive, report.findings.totals);
  ExchangeCounts(archive, report.findings.suppressed);
  ExchangeSummary(archive, report.summary);
  Optional(archive, report.shard, [&](auto& shard) { ExchangeShard(archive, shard); });
  ExchangeIdentity(archive, report.identity);
  Optional(archive, report.came, [&](auto& bytes) { archive.Number(bytes); });
  Optional(archive, report.remote, [&](auto& facts) { ExchangeRemote(archive, facts); });
  Optional(archive, report.sha256, [&](auto& hex) { archive.Text(hex, kDigestCharacters); });
  auto nanoseconds = static_cast<std::int64_t>(report.elapsed.count());
  archive.Number(nanoseconds);
  if constexpr (A::kReads) report.elapsed = std::chrono::nanoseconds(nanoseconds);
}

// --- what a report may not contradict ------------------------------------------------------------

bool IsDigest(std::string_view hex) {
  return hex.size() == kDigestCharacters &&
         hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Each kept finding must have been counted.
bool CountsAgree(const Findings& findings) {
  const std::size_t rules = AllRules().size();
  if (findings.totals.size() != findings.suppressed.size()) return false;
  if (findings.totals.empty()) return findings.list.empty();
  if (findings.totals.size() != rules) return false;
  std::vector<std::uint64_t> kept(rules);
  for (const Finding& finding : findings.list) {
    if (++kept.at(static_cast<std::size_t>(finding.rule)) >
        findings.totals.at(static_cast<std::size_t>(finding.rule))) {
      return false;
    }
  }
  return true;
}

// ReleasesAgree tells whether a finding names only loaders of the policy, in that order.
bool ReleasesAgree(const Finding& finding, const Policy& policy) {
  auto loader = policy.loaders.begin();
  return std::ranges::all_of(finding.releases, [&](const std::string& release) {
    loader = std::find_if(loader, policy.loaders.end(),
                          [&](const auto& contracts) { return contracts->release() == release; });
    if (loader == policy.loaders.end()) return false;
    ++loader;
    return true;
  });
}

bool VerdictFollows(const FileReport& report, const Policy& policy) {
  if (report.verdict == Verdict::kUndecided) return !report.problem.ok();
  return report.problem.ok() && report.verdict == VerdictOf(report.findings, policy);
}

}  // namespace

std::vector<std::uint8_t> WriteReport(const FileReport& report) {
  Writer writer;
  Exchange(writer, report);
  return writer.Take();
}

std::optional<FileReport> ReadReport(Bytes bytes, const Policy& policy) {
  if (bytes.size() > kMostReportBytes) return std::nullopt;
  Reader reader(bytes);
  FileReport report;
  Exchange(reader, report);
  if (!reader.Whole() || !CountsAgree(report.findings)) return std::nullopt;
  if (!VerdictFollows(report, policy)) return std::nullopt;
  // Equal: a stream was rejected before its length was known.
  if (report.came && *report.came > report.identity.size) return std::nullopt;
  if (report.sha256 && !IsDigest(*report.sha256)) return std::nullopt;
  const auto agrees = [&](const Finding& finding) { return ReleasesAgree(finding, policy); };
  if (!std::ranges::all_of(report.findings.list, agrees)) return std::nullopt;
  report.data = policy.data;
  return report;
}

}  // namespace ggufgate
