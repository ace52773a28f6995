// Checks, policies and reports of the C interface.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/api/handles.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

using ::testing::StrEq;
using Json = nlohmann::json;

std::vector<std::uint8_t> Sound() { return Write(Model::Minimal()); }
std::vector<std::uint8_t> WithNote() {
  return Write(Model::Minimal().Set("Not.Lower_Case", std::uint32_t{1}));
}
std::vector<std::uint8_t> WithWarning() { return Write(Model::Minimal().Set("text", "\xFF\x1B")); }
std::vector<std::uint8_t> WithError() { return Write(Model::Minimal().Set("", std::uint32_t{1})); }

ggufgate_finding FindingOf(const Report& report, std::size_t index) {
  ggufgate_finding finding = {};
  finding.size = sizeof(finding);
  EXPECT_EQ(ggufgate_report_finding(report.get(), index, &finding), GGUFGATE_STATUS_OK);
  return finding;
}

TEST(CheckC, AcceptsASoundFileAndRejectsItsBrokenNeighbour) {
  const Report sound = CheckedMemory(Sound());
  EXPECT_EQ(ggufgate_report_verdict(sound.get()), GGUFGATE_VERDICT_ACCEPT);
  EXPECT_EQ(ggufgate_report_finding_count(sound.get()), 0U);
  EXPECT_THAT(ggufgate_report_problem(sound.get()), StrEq(""));
  EXPECT_EQ(ggufgate_report_file_size(sound.get()), Sound().size());

  const Report broken = CheckedMemory(WithError());
  EXPECT_EQ(ggufgate_report_verdict(broken.get()), GGUFGATE_VERDICT_REJECT);
  ASSERT_GE(ggufgate_report_finding_count(broken.get()), 1U);
  const ggufgate_finding finding = FindingOf(broken, 0);
  EXPECT_EQ(finding.severity, GGUFGATE_SEVERITY_ERROR);
  EXPECT_GT(finding.offset, 0U);
  EXPECT_THAT(finding.message, ::testing::Not(StrEq("")));
  EXPECT_EQ(finding.suppressed, nullptr);
  EXPECT_EQ(ggufgate_report_total(broken.get(), finding.rule), 1U);
  EXPECT_EQ(ggufgate_report_total(broken.get(), "no-such-rule"), 0U);
}

TEST(CheckC, TextOfTheFileIsEscaped) {
  const Report report = CheckedMemory(WithWarning());
  EXPECT_EQ(ggufgate_report_verdict(report.get()), GGUFGATE_VERDICT_ACCEPT);
  const std::string json = JsonOf(report);
  EXPECT_EQ(json.find('\x1B'), std::string::npos);
  EXPECT_TRUE(Json::accept(json));

  ggufgate_text* text = nullptr;
  ASSERT_EQ(ggufgate_escape("a\x1B\0b", 4, &text), GGUFGATE_STATUS_OK);
  const Text owned(text);
  EXPECT_THAT(ggufgate_text_chars(text), StrEq("a\\x1b\\x00b"));
  EXPECT_EQ(ggufgate_text_size(text), 10U);
}

TEST(CheckC, SaysTheSameByPathDescriptorAndInMemory) {
  const TempFolder folder;
  for (const auto& file : {Sound(), WithError()}) {
    const std::string path = folder.Write("model", file);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ggufgate_report* by_descriptor = nullptr;
    EXPECT_EQ(ggufgate_check_descriptor(descriptor, nullptr, &by_descriptor), GGUFGATE_STATUS_OK);
    EXPECT_EQ(::lseek(descriptor, 0, SEEK_CUR), 0) << "it is still open, and where it was";
    ::close(descriptor);
    const Report owned(by_descriptor);
    const Report by_path = CheckedPath(path);
    const Report in_memory = CheckedMemory(file);
    const auto findings = [](const Report& report) {
      return Json::parse(JsonOf(report)).at("files").at(0).at("findings");
    };
    EXPECT_EQ(findings(by_path), findings(owned));
    EXPECT_EQ(findings(by_path), findings(in_memory));
    EXPECT_EQ(ggufgate_report_verdict(by_path.get()), ggufgate_report_verdict(owned.get()));
    EXPECT_EQ(ggufgate_report_verdict(by_path.get()), ggufgate_report_verdict(in_memory.get()));
  }
}

TEST(CheckC, ReadsAPipeToItsEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto file = Sound();
  ASSERT_EQ(::write(ends[1], file.data(), file.size()), static_cast<ssize_t>(file.size()));
  ::close(ends[1]);
  ggufgate_report* report = nullptr;
  EXPECT_EQ(ggufgate_check_descriptor(ends[0], nullptr, &report), GGUFGATE_STATUS_OK);
  ::close(ends[0]);
  EXPECT_EQ(ggufgate_report_verdict(Report(report).get()), GGUFGATE_VERDICT_ACCEPT);
}

TEST(CheckC, WhatCannotBeReadIsUndecidedAndSaysWhy) {
  const TempFolder folder;
  for (const std::string& path : {folder.Path("nothing"), folder.path()}) {
    const Report report = CheckedPath(path);
    EXPECT_EQ(ggufgate_report_verdict(report.get()), GGUFGATE_VERDICT_UNDECIDED) << path;
    EXPECT_THAT(ggufgate_report_problem(report.get()), ::testing::Not(StrEq(""))) << path;
  }
  ggufgate_report* report = nullptr;
  EXPECT_EQ(ggufgate_check_descriptor(-1, nullptr, &report), GGUFGATE_STATUS_OK);
  EXPECT_EQ(ggufgate_report_verdict(Report(report).get()), GGUFGATE_VERDICT_UNDECIDED);
}

TEST(CheckC, OptionsAreMinded) {
  ggufgate_options options = Options();
  options.fail_on = GGUFGATE_SEVERITY_WARNING;
  EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(WithWarning(), options).get()),
            GGUFGATE_VERDICT_REJECT);
  EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(WithNote(), options).get()),
            GGUFGATE_VERDICT_ACCEPT);
  options.fail_on = GGUFGATE_SEVERITY_NOTE;
  EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(WithNote(), options).get()),
            GGUFGATE_VERDICT_REJECT);

  Model with_nan = Model::Minimal();
  Encoder nan(ByteOrder::kLittle);
  nan.Put(std::numeric_limits<float>::quiet_NaN());
  std::ranges::copy(nan.Take(), with_nan.tensors.front().data.begin());
  options = Options();
  EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(Write(with_nan), options).get()),
            GGUFGATE_VERDICT_ACCEPT);
  options.data = GGUFGATE_DATA_LEVEL_FULL;
  for (const std::uint32_t jobs : {0U, 1U, 4U}) {
    options.jobs = jobs;
    EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(Write(with_nan), options).get()),
              GGUFGATE_VERDICT_REJECT);
  }
  options = Options();
  options.sha256 = 1;
  options.name = "a\nb";
  const Report report = CheckedMemory(Sound(), options);
  EXPECT_EQ(std::string(ggufgate_report_sha256(report.get())).size(), 64U);
  EXPECT_THAT(JsonOf(report), HasSubstr("\"path\":\"a\\\\x0ab\""));
  EXPECT_THAT(ggufgate_report_sha256(CheckedMemory(Sound()).get()), StrEq(""));
}

// An option of a newer version may be stricter, so it must not be ignored.
TEST(CheckC, RefusesOptionsThatItDoesNotKnow) {
  const auto file = Sound();
  const auto status = [&](const ggufgate_options& options) {
    ggufgate_report* report = nullptr;
    const auto given = ggufgate_check_memory(file.data(), file.size(), &options, &report);
    EXPECT_EQ(report != nullptr, given == GGUFGATE_STATUS_OK);
    ggufgate_report_free(report);
    return given;
  };
  EXPECT_EQ(status(Options()), GGUFGATE_STATUS_OK);
  std::vector<ggufgate_options> wrong(7, Options());
  wrong[0].size = 0;
  wrong[1].size += 8;
  wrong[2].data = GGUFGATE_DATA_LEVEL_FULL + 1;
  wrong[3].data = -1;
  wrong[4].fail_on = GGUFGATE_SEVERITY_ERROR + 1;
  wrong[5].fail_on = -1;
  wrong[6].second_opinion = GGUFGATE_SECOND_OPINION_NEVER + 1;
  for (const ggufgate_options& options : wrong) {
    EXPECT_EQ(status(options), GGUFGATE_STATUS_BAD_ARGUMENT);
  }
}

TEST(CheckC, NullIsAnswered) {
  ggufgate_report* report = nullptr;
  EXPECT_EQ(ggufgate_check_path(nullptr, nullptr, &report), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_check_path("x", nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_check_descriptor(0, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_check_memory(nullptr, 1, nullptr, &report), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_check_memory("x", 1, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_check_confined(nullptr, nullptr, &report), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_check_confined("x", nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(report, nullptr);
  // Zero bytes are valid input, but not a GGUF file.
  EXPECT_EQ(ggufgate_check_memory(nullptr, 0, nullptr, &report), GGUFGATE_STATUS_OK);
  const Report of_nothing(report);
  EXPECT_EQ(ggufgate_report_verdict(report), GGUFGATE_VERDICT_REJECT);

  EXPECT_EQ(ggufgate_report_verdict(nullptr), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_THAT(ggufgate_report_problem(nullptr), StrEq(""));
  EXPECT_THAT(ggufgate_report_sha256(nullptr), StrEq(""));
  EXPECT_EQ(ggufgate_report_finding_count(nullptr), 0U);
  EXPECT_EQ(ggufgate_report_file_size(nullptr), 0U);
  EXPECT_EQ(ggufgate_report_total(nullptr, "magic"), 0U);
  EXPECT_EQ(ggufgate_report_total(report, nullptr), 0U);
  ggufgate_finding finding = {};
  EXPECT_EQ(ggufgate_report_finding(report, 0, &finding), GGUFGATE_STATUS_BAD_ARGUMENT);
  finding.size = sizeof(finding);
  EXPECT_EQ(ggufgate_report_finding(nullptr, 0, &finding), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_report_finding(report, 0, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_report_finding(report, 1000, &finding), GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_report_json(report, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  ggufgate_text* text = nullptr;
  EXPECT_EQ(ggufgate_report_json(nullptr, &text), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_escape(nullptr, 1, &text), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_THAT(ggufgate_text_chars(nullptr), StrEq(""));
  EXPECT_EQ(ggufgate_text_size(nullptr), 0U);
  ggufgate_report_free(nullptr);
  ggufgate_text_free(nullptr);
  ggufgate_policy_free(nullptr);
}

TEST(PolicyC, IsReadFromTextAndFromProfiles) {
  const std::string toml = "schema = \"ggufgate.policy/1\"\nfail_on = \"warning\"\n";
  ggufgate_options options = Options();
  const PolicyHandle strict = Parsed(toml);
  ASSERT_NE(strict, nullptr);
  options.policy = strict.get();
  EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(WithWarning(), options).get()),
            GGUFGATE_VERDICT_REJECT);
  options.fail_on = GGUFGATE_SEVERITY_ERROR;
  EXPECT_EQ(ggufgate_report_verdict(CheckedMemory(WithWarning(), options).get()),
            GGUFGATE_VERDICT_ACCEPT);

  for (const char* profile : {"gate", "llama.cpp", "spec", "diffusion"}) {
    ggufgate_policy* policy = nullptr;
    ASSERT_EQ(ggufgate_policy_of_profile(profile, &policy), GGUFGATE_STATUS_OK);
    const PolicyHandle owned(policy);
    options = Options();
    options.policy = policy;
    const Json json = Json::parse(JsonOf(CheckedMemory(Sound(), options)));
    EXPECT_EQ(json.at("profile"), profile);
  }
  ggufgate_policy* policy = nullptr;
  EXPECT_EQ(ggufgate_policy_of_profile("none", &policy), GGUFGATE_STATUS_NOT_FOUND);
  EXPECT_EQ(ggufgate_policy_of_profile(nullptr, &policy), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_policy_of_profile("gate", nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(policy, nullptr);
}

TEST(PolicyC, TellsWhatIsWrongLineByLine) {
  const std::string toml = "schema = \"ggufgate.policy/1\"\nfail_on = \"sometimes\"\n";
  ggufgate_policy* policy = nullptr;
  ggufgate_text* problems = nullptr;
  const auto parse = [&](const char* profile) {
    return ggufgate_policy_parse(toml.data(), toml.size(), profile, nullptr, &problems, &policy);
  };
  EXPECT_EQ(parse(nullptr), GGUFGATE_STATUS_BAD_POLICY);
  EXPECT_EQ(policy, nullptr);
  EXPECT_THAT(ggufgate_text_chars(problems), StartsWith("2:"));
  ggufgate_text_free(problems);
  EXPECT_EQ(parse("none"), GGUFGATE_STATUS_NOT_FOUND);
  EXPECT_EQ(problems, nullptr);
  EXPECT_EQ(ggufgate_policy_parse(nullptr, 1, nullptr, nullptr, &problems, &policy),
            GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_policy_parse(toml.data(), toml.size(), nullptr, nullptr, nullptr, nullptr),
            GGUFGATE_STATUS_BAD_ARGUMENT);
}

TEST(PolicyC, ASuppressedFindingSaysWhy) {
  const Report before = CheckedMemory(WithWarning());
  const std::string rule = FindingOf(before, 0).rule;
  const PolicyHandle lenient = Parsed("schema = \"ggufgate.policy/1\"\n[[suppress]]\nrule = \"" +
                                      rule + "\"\nreason = \"seen\"\n");
  ASSERT_NE(lenient, nullptr);
  ggufgate_options options = Options();
  options.policy = lenient.get();
  const Report report = CheckedMemory(WithWarning(), options);
  EXPECT_THAT(FindingOf(report, 0).suppressed, StrEq("seen"));
}

TEST(TextC, StatusesHaveNames) {
  for (ggufgate_status status = GGUFGATE_STATUS_OK; status <= GGUFGATE_STATUS_INTERNAL; ++status) {
    EXPECT_THAT(ggufgate_status_text(status), ::testing::Not(StrEq("unknown status")));
  }
  EXPECT_THAT(ggufgate_status_text(99), StrEq("unknown status"));
  EXPECT_THAT(ggufgate_version(), StrEq(GGUFGATE_VERSION));
}

}  // namespace
}  // namespace ggufgate::testing
