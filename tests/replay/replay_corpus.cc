// replay_corpus CORPUS [FOLDER]: parses and checks every file of the corpus under every profile,
// and asserts the invariants of the gate. It does the same for prefixes of the files, and for
// copies with one changed byte. Each finding is converted to words.
//
// It does not use GoogleTest, and uses only the core of the library, so that the same program runs
// under MemorySanitizer. The exit code is 1 if a check below fails, or if there is no file.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bytes/file_source.h"
#include "bytes/memory_source.h"
#include "check/check.h"
#include "parse/extent.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "parse/regions.h"
#include "tests/oracles/needed_bytes.h"
#include "tests/oracles/parse_same.h"
#include "tests/oracles/plain_files.h"
#include "tests/oracles/verdict.h"
#include "words/message.h"
#include "words/rule_text.h"

namespace ggufgate {
namespace {

using File = std::vector<std::uint8_t>;

constexpr std::array<DataScan, 3> kScans = {DataScan::kNone, DataScan::kScales, DataScan::kFull};
#if defined(GGUFGATE_SMOKE)                      // each other build runs more
constexpr std::uint64_t kAllPrefixesUpTo = 512;  // bytes of a file
constexpr std::uint64_t kStridedPrefixes = 25;   // for a larger file
constexpr std::uint64_t kFlipBudget = 1 << 17;   // bytes parsed for the changed copies of one file
#elif !defined(NDEBUG)                           // ten times slower or more
constexpr std::uint64_t kAllPrefixesUpTo = 512;
constexpr std::uint64_t kStridedPrefixes = 50;
constexpr std::uint64_t kFlipBudget = 1 << 19;
#elif defined(GGUFGATE_QUICK_TESTS)              // another compiler runs all of them
constexpr std::uint64_t kAllPrefixesUpTo = 1024;
constexpr std::uint64_t kStridedPrefixes = 200;
constexpr std::uint64_t kFlipBudget = 8 << 20;
#else
constexpr std::uint64_t kAllPrefixesUpTo = 4 * 1024;
constexpr std::uint64_t kStridedPrefixes = 200;
constexpr std::uint64_t kFlipBudget = 64 << 20;
#endif
constexpr std::size_t kFlippedBytes = 4 * 1024;  // from the start of a file
constexpr std::size_t kBoundaryRegions = 64;     // at each end of a file with many

// Replay counts the work, and prints each violation with its file.
struct Replay {
  std::uint64_t files = 0;
  std::uint64_t verdicts = 0;
  std::uint64_t violations = 0;
  std::string path;

  void Require(bool holds, const char* sentence, std::uint64_t detail = 0) {
    if (holds) return;
    ++violations;
    std::printf("VIOLATED %s: %s (%llu)\n", path.c_str(), sentence,
                static_cast<unsigned long long>(detail));
  }
};

// Judgement is the result of one run for one file. The document views the file.
struct Judgement {
  Document document;
  CheckResult checked;

  [[nodiscard]] bool Rejected() const { return checked.Worst() >= Severity::kError; }
};

bool SameFinding(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.severity == b.severity && a.wording == b.wording &&
         a.where == b.where && a.subject.section == b.subject.section &&
         a.subject.index == b.subject.index && a.subject.name == b.subject.name &&
         a.subject.element == b.subject.element && a.observed == b.observed &&
         a.allowed == b.allowed && a.other == b.other && a.cause.kind == b.cause.kind &&
         a.cause.a == b.cause.a && a.cause.b == b.cause.b && a.cause.other == b.cause.other;
}

Judgement JudgeBytes(Bytes file, const Policy& policy, Replay& replay) {
  ++replay.verdicts;
  ParseResult parsed = Parse(file, file.size(), policy.limits);
  replay.Require(!parsed.NeedsMore(), "a whole file is enough", parsed.bytes_needed);
  const MemorySource source(file);
  CheckResult checked = Check(parsed.document, source, policy);
  return {.document = std::move(parsed.document), .checked = std::move(checked)};
}

// IsPrintable tells whether a text is one line without control sequences.
bool IsPrintable(const std::string& text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
}

// RequireSound asserts what holds for every verdict on any bytes.
void RequireSound(const Judgement& judged, Bytes file, const Policy& policy, Replay& replay) {
  const Findings& findings = judged.checked.findings;
  bool error = false;
  for (const Finding& finding : findings.list) {
    error = error || finding.severity == Severity::kError;
    replay.Require(finding.where.begin <= file.size(), "a finding's offset is inside the file",
                   finding.where.begin);
    const std::uint64_t total = findings.totals.at(static_cast<std::size_t>(finding.rule));
    replay.Require(total > 0, "a finding that is listed is counted");
    replay.Require(IsPrintable(SentenceFor(finding)), "a finding is said on one line");
  }
  for (const Unlisted& unlisted : UnlistedIn(findings)) {
    replay.Require(FindRule(unlisted.rule) != nullptr, "what is not listed is of a rule");
  }
  replay.Require(judged.Rejected() == error, "rejected if and only if an error is found");
  replay.Require(!judged.document.fault || error, "a fault of the parser rejects");
  replay.Require(judged.checked.io.complete(), "memory can always be read");
  replay.Require(findings.list.size() <= findings.totals.size() * (policy.findings_per_rule + 1),
                 "findings are bounded", findings.list.size());
  if (judged.Rejected()) return;
  replay.Require(judged.document.directory_end <= file.size(), "the directory is inside the file");
  replay.Require(testing::Tile(Regions(judged.document), file.size()),
                 "the regions of an accepted file cover it, each byte once");
}

bool SameFindings(const CheckResult& a, const CheckResult& b) {
  return std::ranges::equal(a.findings.list, b.findings.list, SameFinding) &&
         a.findings.totals == b.findings.totals;
}

// RequireRoundTrip takes an accepted file apart and puts it together again. Profile spec allows
// tensors in any order and with gaps, which a Model does not keep: then only the directory must be
// equal.
void RequireRoundTrip(const Judgement& judged, const File& file, Profile profile, Replay& replay) {
  const File again = Write(ModelOf(judged.document, file));
  const Judgement second = JudgeBytes(again, PolicyFor(profile), replay);
  replay.Require(testing::DifferenceOf(judged.document, second.document).empty(),
                 "taken apart and written again, an accepted file parses to an equal document");
  if (profile == Profile::kSpec) return;
  const std::uint64_t padding_not_zero =
      judged.checked.findings.totals.at(static_cast<std::size_t>(RuleId::kPaddingNotZero));
  replay.Require(again == file || padding_not_zero > 0,
                 "taken apart and written again, a file with zero padding has the same bytes");
}

// PrefixSizes returns the sizes of the prefixes to check: all for a small file, otherwise some of
// the directory and those around every border between regions.
std::vector<std::uint64_t> PrefixSizes(const Document& document, std::uint64_t end) {
  std::vector<std::uint64_t> sizes;
  const bool all = document.file_size <= kAllPrefixesUpTo;
  const std::uint64_t last = all ? end : document.directory_end;
  const std::uint64_t stride = all ? 1 : last / kStridedPrefixes + 1;
  for (std::uint64_t size = 0; size < last; size += stride) sizes.push_back(size);
  if (all) return sizes;
  const std::vector<Region> regions = Regions(document);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (i >= kBoundaryRegions && i + kBoundaryRegions < regions.size()) continue;
    for (const std::uint64_t size : {regions.at(i).range.End() - 1, regions.at(i).range.End(),
                                     regions.at(i).range.End() + 1}) {
      if (size < end) sizes.push_back(size);
    }
  }
  return sizes;
}

void RequirePrefixesRejected(const Judgement& judged, const File& file, Replay& replay) {
  const std::uint64_t end = testing::NeededBytes(judged.document);
  const Policy policy = PolicyFor(Profile::kGate);
  for (const std::uint64_t size : PrefixSizes(judged.document, end)) {
    const File prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const Judgement cut = JudgeBytes(prefix, policy, replay);
    RequireSound(cut, prefix, policy, replay);
    replay.Require(cut.Rejected(), "a prefix that cuts needed bytes is rejected", size);
  }
}

// RequireFlipsJudged checks copies with one changed byte: every copy must get a verdict. The
// profiles take turns. For large files it skips copies, to limit the work.
void RequireFlipsJudged(File file, Replay& replay) {
  constexpr std::array<std::uint8_t, 3> kFlips = {0x01, 0x80, 0xFF};
  const std::size_t flipped = std::min(file.size(), kFlippedBytes);
  const std::size_t stride = flipped * kFlips.size() * file.size() / kFlipBudget + 1;
  for (std::size_t i = 0; i < flipped; i += stride) {
    for (std::size_t flip = 0; flip < kFlips.size(); ++flip) {
      const std::uint8_t original = file.at(i);
      file.at(i) = original ^ kFlips.at(flip);
      Policy policy = PolicyFor(kAllProfiles.at((i / stride + flip) % kAllProfiles.size()));
      policy.data = kScans.at((i / stride) % kScans.size());
      RequireSound(JudgeBytes(file, policy, replay), file, policy, replay);
      file.at(i) = original;
    }
  }
}

enum class Expected : std::uint8_t { kAccept, kReject, kAny };

void ReplayFile(const File& file, Expected expected, Replay& replay) {
  ++replay.files;
  for (const Profile profile : kAllProfiles) {
    Policy policy = PolicyFor(profile);
    policy.data = DataScan::kFull;
    const Judgement judged = JudgeBytes(file, policy, replay);
    RequireSound(judged, file, policy, replay);
    const File copy = file;
    replay.Require(SameFindings(judged.checked, JudgeBytes(copy, policy, replay).checked),
                   "the same bytes give the same findings");
    if (!judged.Rejected()) RequireRoundTrip(judged, file, profile, replay);
    if (profile != Profile::kGate) continue;
    replay.Require(expected != Expected::kAccept || !judged.Rejected(), "a valid file is accepted");
    replay.Require(expected != Expected::kReject || judged.Rejected(),
                   "an invalid file is rejected");
    if (!judged.Rejected()) RequirePrefixesRejected(judged, file, replay);
  }
  RequireFlipsJudged(file, replay);
}

// ReadFile reads a file like the gate does. It returns false if it cannot.
bool ReadFile(const std::string& path, File& out) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat status = {};
  bool complete = ::fstat(descriptor, &status) == 0;
  if (complete) {
    const FileSource source(descriptor, static_cast<std::uint64_t>(status.st_size));
    out.resize(source.size());
    complete = source.ReadAt(0, out).complete();
  }
  ::close(descriptor);
  return complete;
}

void ReplayFolder(const std::string& folder, Expected expected, Replay& replay) {
  std::vector<std::string> files;
  if (!testing::FilesUnder(folder, files)) return;
  const Replay before = replay;
  for (const std::string& path : files) {
    replay.path = path;
    File file;
    const bool read = ReadFile(path, file);
    replay.Require(read, "a file of the corpus can be read");
    if (read) ReplayFile(file, expected, replay);
  }
  std::printf("%s: %llu files, %llu verdicts, %llu violations\n", folder.c_str(),
              static_cast<unsigned long long>(replay.files - before.files),
              static_cast<unsigned long long>(replay.verdicts - before.verdicts),
              static_cast<unsigned long long>(replay.violations - before.violations));
}

struct Folder {
  std::string name;
  Expected expected;
};

// Main replays one folder, or all if `only` is empty.
int Main(const std::string& corpus, const std::string& only) {
  const std::array<Folder, 4> folders = {{{"valid", Expected::kAccept},
                                          {"invalid", Expected::kReject},
                                          {"limits", Expected::kAccept},  // with the default limits
                                          {"regression", Expected::kAny}}};
  Replay replay;
  for (const Folder& folder : folders) {
    if (!only.empty() && only != folder.name) continue;
    ReplayFolder(corpus + "/" + folder.name, folder.expected, replay);
  }
  for (const Rule& rule : AllRules()) {
    replay.path = rule.slug;
    replay.Require(!RuleText(rule).empty() && !RuleMarkdown(rule).empty(), "a rule is explained");
  }
  std::printf("replayed %llu files with %llu verdicts: %llu violations\n",
              static_cast<unsigned long long>(replay.files),
              static_cast<unsigned long long>(replay.verdicts),
              static_cast<unsigned long long>(replay.violations));
  if (replay.files == 0) std::printf("no file under %s: nothing was checked\n", corpus.c_str());
  return replay.files > 0 && replay.violations == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ggufgate

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: replay_corpus CORPUS [valid|invalid|limits|regression]\n");
    return 2;
  }
  return ggufgate::Main(argv[1], argc == 3 ? argv[2] : "");
}
