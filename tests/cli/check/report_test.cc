// The printer's handling of frames from the worker and the witness, which it does not trust.

#include "cli/check/report.h"

#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "gate/judge_source.h"
#include "gate/processes/report_wire.h"
#include "gate/processes/second_opinion.h"
#include "parse/model.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

FrameSource FramesOf(std::vector<Frame> frames) {
  return [list = std::move(frames), next = std::size_t{0}]() mutable -> std::optional<Frame> {
    if (next == list.size()) return std::nullopt;
    return list.at(next++);
  };
}

Frame Report(const Model& model) {
  const std::vector<std::uint8_t> file = Write(model);
  return {.kind = FrameKind::kReport,
          .bytes = WriteReport(JudgeSource(MemorySource(file), "", {}))};
}

Frame Says(const Opinion& opinion) {
  return {.kind = FrameKind::kReport, .bytes = WriteOpinion(opinion)};
}

Opinion Agreeing() {
  return {.kind = Opinion::Kind::kGiven,
          .version = 3,
          .metadata_keys = Model::Minimal().metadata.size(),
          .tensors = Model::Minimal().tensors.size()};
}

struct Printed {
  int code;
  std::string out;
};

// One file, with these frames.
Printed Print(std::vector<Frame> reports, std::vector<Frame> opinions) {
  FoundFiles found;
  found.files = {"a"};
  found.searched = {false};
  std::ostringstream out;
  std::ostringstream error;
  const CheckReport how{.paths = {"a"}, .format = "text", .style = {}, .second_opinion = true};
  const Streams streams{.out = out, .error = error};
  const int code =
      PrintFound(found, {.stores = ModelStores(), .named = NamedDigests()}, how, {}, nullptr,
                 FramesOf(std::move(reports)), FramesOf(std::move(opinions)), streams);
  return {.code = code, .out = out.str()};
}

TEST(PrintFound, AcceptsWhatBothAccept) {
  const Printed printed = Print({Report(Model::Minimal())}, {Says(Agreeing())});
  EXPECT_EQ(printed.code, kExitAccept);
  EXPECT_THAT(printed.out, StartsWith("ok      a "));
  EXPECT_EQ(Print({Report(Model::Minimal())}, {Says({})}).code, kExitAccept) << "too long for it";
}

// An exploited worker reports "ok" for a file that must be rejected.
TEST(PrintFound, IsUndecidedWhenTheWitnessContradicts) {
  Opinion opinion = Agreeing();
  opinion.broken = {RuleId::kTensorDataBounds};
  const Printed printed = Print({Report(Model::Minimal())}, {Says(opinion)});
  EXPECT_EQ(printed.code, kExitUndecided);
  EXPECT_THAT(printed.out, StartsWith("undecided  a: the second reader disagrees"));
  EXPECT_THAT(printed.out, HasSubstr("it finds a breach of tensor-data-bounds"));
}

TEST(PrintFound, IsUndecidedWhenTheWitnessIsSilent) {
  EXPECT_THAT(Print({Report(Model::Minimal())}, {}).out, HasSubstr("no message arrived"));
  const Frame loss{.kind = FrameKind::kLoss, .bytes = {'k', 'i', 'l', 'l', 'e', 'd'}};
  const Printed lost = Print({Report(Model::Minimal())}, {loss});
  EXPECT_EQ(lost.code, kExitUndecided);
  EXPECT_THAT(lost.out, HasSubstr("there is no result of the second reader: killed"));
  const Frame noise{.kind = FrameKind::kReport, .bytes = {1, 2, 3}};
  EXPECT_THAT(Print({Report(Model::Minimal())}, {noise}).out, HasSubstr("the message is invalid"));
}

TEST(PrintFound, RejectsWhateverTheWitnessSays) {
  Model bad = Model::Minimal();
  bad.Set("", std::uint8_t{1});
  EXPECT_EQ(Print({Report(bad)}, {Says(Agreeing())}).code, kExitReject);
  EXPECT_EQ(Print({Report(bad)}, {}).code, kExitReject);
}

}  // namespace
}  // namespace ggufgate
