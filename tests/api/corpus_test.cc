// The whole corpus through the C interface. It has the verdicts of the manifest and the findings of
// the C++ library, and accepted files can be read completely.

#include <gmock/gmock.h>

#include <string>

#include "tests/api/handles.h"
#include "tests/conformance/corpus.h"
#include "tests/oracles/walk.h"

namespace ggufgate::testing {
namespace {

// AsToml returns the manifest's changes to a policy as a policy file.
std::string AsToml(const CorpusFile& file) {
  std::string toml = "schema = \"ggufgate.policy/1\"\n";
  if (!file.limits.empty()) toml += "[limits]\n";
  for (const auto& [name, value] : file.limits) {
    toml += name + " = " + std::to_string(value) + "\n";
  }
  if (!file.policy.empty()) toml += "[allow]\n";
  for (const auto& [list, names] : file.policy) {
    toml += list + " = " + nlohmann::json(names).dump() + "\n";
  }
  return toml;
}

TEST(CorpusC, TheVerdictsAreThoseOfTheManifest) {
  std::size_t judged = 0;
  for (const CorpusFile& file : Corpus()) {
    const std::string path = CorpusFolder() / file.path;
    for (const auto& [profile, verdict] : file.verdict) {
      const PolicyHandle policy = Parsed(AsToml(file), profile.c_str());
      ASSERT_NE(policy, nullptr) << AsToml(file);
      ggufgate_options options = Options();
      options.policy = policy.get();
      options.data = file.data == "full"     ? GGUFGATE_DATA_LEVEL_FULL
                     : file.data == "scales" ? GGUFGATE_DATA_LEVEL_SCALES
                                             : GGUFGATE_DATA_LEVEL_NONE;
      const Report report = CheckedPath(path, options);
      EXPECT_EQ(ggufgate_report_verdict(report.get()),
                verdict == "accept" ? GGUFGATE_VERDICT_ACCEPT : GGUFGATE_VERDICT_REJECT)
          << path << " in profile " << profile;
      ++judged;
    }
  }
  EXPECT_GE(judged, 3 * Corpus().size());
}

TEST(CorpusC, OpensWhatItAcceptsAndOnlyThat) {
  ggufgate_options any = Options();
  any.open_rejected = 1;
  for (const CorpusFile& file : Corpus()) {
    const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
    const Report report = CheckedMemory(bytes);
    const bool accepted = ggufgate_report_verdict(report.get()) == GGUFGATE_VERDICT_ACCEPT;
    const File opened = OpenedMemory(bytes);
    EXPECT_EQ(opened != nullptr, accepted) << file.path;
    if (opened != nullptr) {
      const fuzz::Walked walked = fuzz::Walk(*opened);
      EXPECT_EQ(walked.failure, "") << file.path;
      EXPECT_EQ(walked.unreadable_tensors, 0U) << file.path;
    }
    // A rejected file has less, but all of it is within bounds.
    const File rejected = OpenedMemory(bytes, any);
    ASSERT_NE(rejected, nullptr) << file.path;
    EXPECT_EQ(fuzz::Walk(*rejected).failure, "") << file.path;
  }
}

}  // namespace
}  // namespace ggufgate::testing
