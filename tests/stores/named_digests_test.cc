#include "stores/named_digests.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "stores/blobs.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

const std::string kHex(64, 'a');
const std::string kOtherHex(64, 'b');

TEST(DigestIn, TakesTheNamesOfBlobsAndNothingElse) {
  EXPECT_EQ(DigestIn(kHex), kHex);
  EXPECT_EQ(DigestIn("sha256-" + kHex), kHex);
  EXPECT_EQ(DigestIn("sha256:" + kHex), kHex);
  EXPECT_EQ(DigestIn(std::string(64, 'A')), kHex);
  for (const std::string& other :
       {std::string(40, 'a'), kHex + ".gguf", kHex + "a", kHex.substr(1) + "g", std::string(),
        "sha256-" + kHex + "-partial", "sha1-" + kHex, "SHA256-" + kHex}) {
    EXPECT_EQ(DigestIn(other), "") << other;
  }
}

NamedDigests Of(const std::string& path) {
  FoundFiles found;
  found.files = {path};
  found.searched = {false};
  return {found, ModelStores()};
}

FileReport Report(const std::string& digest, Verdict verdict = Verdict::kAccept) {
  FileReport report;
  report.verdict = verdict;
  if (!digest.empty()) report.sha256 = digest;
  return report;
}

// FindingsOf returns the number of findings of a file with this path and this digest.
std::size_t FindingsOf(const std::string& path, const std::string& digest) {
  FileReport report = Report(digest);
  Of(path).Compare(0, {}, report);
  for (const Finding& finding : report.findings.list) {
    EXPECT_EQ(finding.rule, RuleId::kStoreBlobDigest);
  }
  EXPECT_EQ(report.verdict == Verdict::kReject, !report.findings.list.empty());
  return report.findings.list.size();
}

TEST(NamedDigests, AreThoseOfTheFilesOwnName) {
  for (const std::string& path :
       std::vector<std::string>{"sha256-" + kHex, "/no/such/blobs/" + kHex, "./" + kHex,
                                "https://example.org/v2/blobs/sha256:" + kHex + "?ns=a"}) {
    EXPECT_TRUE(Of(path).Has(0)) << path;
    EXPECT_EQ(FindingsOf(path, kHex), 0U) << path;
    EXPECT_EQ(FindingsOf(path, kOtherHex), 1U) << path;
  }
  for (const std::string& path :
       std::vector<std::string>{"-", "m.gguf", kHex + "/m.gguf", "blobs/" + std::string(40, 'a')}) {
    EXPECT_FALSE(Of(path).Has(0)) << path;
    EXPECT_EQ(FindingsOf(path, kOtherHex), 0U) << path;
  }
}

TEST(NamedDigests, AreThoseOfTheFilesThatLinksLeadTo) {
  const TempFolder folder;
  folder.MakeFolder("blobs");
  folder.MakeFolder("snapshots/abc");
  folder.WriteText("blobs/" + kHex, "GGUF");
  folder.WriteText("blobs/" + std::string(40, 'a'), "GGUF");
  const std::string link = folder.Link("snapshots/abc/m.gguf", "../../blobs/" + kHex);
  EXPECT_EQ(FindingsOf(link, kHex), 0U);
  EXPECT_EQ(FindingsOf(link, kOtherHex), 1U);
  EXPECT_EQ(FindingsOf(folder.Link("absolute", link), kOtherHex), 1U) << "a link to a link";
  EXPECT_EQ(FindingsOf(folder.Link(kOtherHex, link), kHex), 1U) << "each name on the way counts";
  const std::string etag =
      folder.Link("snapshots/abc/e.gguf", "../../blobs/" + std::string(40, 'a'));
  EXPECT_FALSE(Of(etag).Has(0)) << "git's SHA-1";
  fs::current_path(folder.Path("snapshots"));
  EXPECT_EQ(FindingsOf("abc/m.gguf", kOtherHex), 1U);
  fs::current_path("/");
}

TEST(NamedDigests, EndWhereLinksDoNot) {
  const TempFolder folder;
  EXPECT_FALSE(Of(folder.Link("circle", "circle")).Has(0));
  EXPECT_FALSE(Of(folder.Link("nowhere", "no/such/file")).Has(0));
  EXPECT_TRUE(Of(folder.Link("gone", "blobs/" + kHex)).Has(0));
}

TEST(NamedDigests, WithoutADigestNothingIsAccepted) {
  FileReport accepted = Report("");
  EXPECT_FALSE(Of(kHex).Compare(0, {}, accepted));
  EXPECT_EQ(accepted.verdict, Verdict::kUndecided);
  FileReport rejected = Report("", Verdict::kReject);
  EXPECT_FALSE(Of(kHex).Compare(0, {}, rejected));
  EXPECT_EQ(rejected.verdict, Verdict::kReject);
  FileReport undecided = Report(kOtherHex, Verdict::kUndecided);
  EXPECT_FALSE(Of(kHex).Compare(0, {}, undecided));
  EXPECT_THAT(undecided.findings.list, IsEmpty());
  const std::string unknown = std::string(300, 'n');  // longer than any name
  FileReport unseen = Report(kHex);
  EXPECT_FALSE(Of(unknown).Compare(0, {}, unseen));
  EXPECT_EQ(unseen.problem.message(), "cannot read the link");
}

TEST(NamedDigests, LeaveFilesOfStoresToTheirReports) {
  FoundFiles found;
  found.files = {kHex, kHex};
  found.searched = {false, true};
  const NamedDigests named(found, {.first_file = 1, .gguf = {true}});
  EXPECT_TRUE(named.Has(0));
  EXPECT_FALSE(named.Has(1));
}

}  // namespace
}  // namespace ggufgate::testing
