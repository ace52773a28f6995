// The cases of the reference loader's tests (llama.cpp tests/test-gguf.cpp, 03f94f19), for the
// library and for profile llama.cpp. Each case begins with random metadata and tensors.
//
// If the installed library behaves differently from its tests, the case says so, and names the rule
// that rejects the file.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/reference/library.h"
#include "tests/support/reference/models.h"

namespace ggufgate::testing {
namespace {

constexpr std::uint64_t kKeys = 100;
constexpr std::uint64_t kTensors = 100;

// Expected holds the library's result in each mode, and the rule that rejects the file; without a
// rule, the gate accepts it.
struct Expected {
  Answer metadata;
  Answer context;
  Answer data;
  std::string_view rule = {};
};

constexpr Expected Refused(std::string_view rule) {
  return {Answer::kRefuses, Answer::kRefuses, Answer::kRefuses, rule};
}

constexpr Expected kAccepted{Answer::kLoads, Answer::kLoads, Answer::kLoads};

struct Case {
  std::string name;
  Expected expected;
  std::function<void(Model&)> edit = [](Model&) {};
  // Between the library and its tests, or between the gate and the library.
  std::string difference = "";
};

// Only keeps one tensor with these dimensions, and at most `bytes` of data.
void Only(Model& model, TensorType type, std::vector<std::uint64_t> dims, std::size_t bytes = 0) {
  model.tensors.clear();
  model.tensors.push_back({.name = "my_tensor_0",
                           .dims = std::move(dims),
                           .type_id = static_cast<std::uint32_t>(type),
                           .data = std::vector<std::uint8_t>(bytes)});
}

Model::Tensor& Middle(Model& model) { return model.tensors.at(model.tensors.size() / 2); }

std::vector<Case> HeaderCases() {
  return {
      {"bad magic", Refused("magic"), [](Model& m) { m.magic = "FUGG"; }},
      {"version 0", Refused("version"), [](Model& m) { m.version = 0; }},
      {"version 1", Refused("version"), [](Model& m) { m.version = 1; }},
      {"version 4", Refused("version"), [](Model& m) { m.version = 4; }},
      {"2^64-1 tensors", Refused("tensor-count"),
       [](Model& m) { m.claimed_tensor_count = UINT64_MAX; }},
      {"2^64-1 keys", Refused("metadata-count"),
       [](Model& m) { m.claimed_metadata_count = UINT64_MAX; }},
      {"header only", kAccepted, [](Model& m) { m = Model(); }},
      {"keys only", kAccepted, [](Model& m) { m.tensors.clear(); }},
      {"tensors only", kAccepted, [](Model& m) { m.metadata.clear(); }},
  };
}

std::vector<Case> MetadataCases() {
  return {
      {"key of 2^64-1 bytes", Refused("string-length"),
       [](Model& m) { m.metadata.at(50).claimed_key_length = UINT64_MAX; }},
      {"empty key", Refused("key-empty"), [](Model& m) { m.metadata.at(50).key = ""; }},
      {"value type 13", Refused("value-type"), [](Model& m) { m.metadata.at(50).type = 13; }},
      {"duplicate key", Refused("key-duplicate"),
       [](Model& m) { m.metadata.at(99).key = m.metadata.at(7).key; }},
      {"alignment 13", Refused("alignment-value"),
       [](Model& m) { m.Set(kAlignmentKey, std::uint32_t{13}); }},
      {"alignment as i32", Refused("alignment-type"),
       [](Model& m) { m.Set(kAlignmentKey, std::int32_t{32}); }},
      {"alignment 32", kAccepted, [](Model& m) { m.Set(kAlignmentKey, std::uint32_t{32}); }},
      {"alignment 1",
       {Answer::kLoads, Answer::kLoads, Answer::kLoads, "alignment-small"},
       [](Model& m) { m = RandomModel(1, kKeys, kTensors, 1); },
       "the model loader maps the data, which do not begin on 32, and aborts"},
      {"random values", kAccepted},
  };
}

std::vector<Case> TensorCases() {
  return {
      {"name of 64 bytes", Refused("tensor-name-length"),
       [](Model& m) { Middle(m).name = std::string(64, 'n'); }},
      {"name of 63 bytes", kAccepted, [](Model& m) { Middle(m).name = std::string(63, 'n'); }},
      {"5 dimensions", Refused("tensor-dimensions"), [](Model& m) { Middle(m).dims.resize(5, 1); }},
      {"all dimensions -1", Refused("tensor-dimension-negative"),
       [](Model& m) { Middle(m).dims.assign(4, UINT64_MAX); }},
      {"second dimension 0", kAccepted,
       [](Model& m) {
         Middle(m).dims = {Middle(m).dims.front(), 0};
         Middle(m).data.clear();
         m.LayOut();
       },
       "releases before August 2026 die of SIGFPE"},
      {"type 43", Refused("tensor-type"), [](Model& m) { Middle(m).type_id = 43; }},
      {"offset 2^64-1", Refused("tensor-order"), [](Model& m) { Middle(m).offset = UINT64_MAX; }},
      {"duplicate name", Refused("tensor-name-duplicate"),
       [](Model& m) { m.tensors.at(90).name = m.tensors.at(3).name; }},
      {"offsets padded to 1, alignment 32", Refused("tensor-order"),
       [](Model& m) {
         m.tensors.at(0).data.assign(5, 0);
         m.tensors.at(0).dims = {5};
         m.tensors.at(0).type_id = static_cast<std::uint32_t>(TensorType::kI8);
         m.alignment = 1;
         m.LayOut();
         m.alignment = kDefaultAlignment;
       }},
  };
}

std::vector<Case> SizeCases() {
  constexpr std::uint64_t kSide = 4 * std::uint64_t{INT32_MAX};
  return {
      {"(4*INT32_MAX)^2 elements of F32", Refused("tensor-elements-overflow"),
       [](Model& m) { Only(m, TensorType::kF32, {kSide, kSide}); }},
      {"(4*INT32_MAX)^2 elements of I8",
       {Answer::kLoads, Answer::kLoads, Answer::kDies, "tensor-elements-overflow"},
       [](Model& m) { Only(m, TensorType::kI8, {kSide, kSide}, 32); },
       "the product wraps below 0, where v0.5.0 no longer checks it; it dies of an allocation"},
      {"(4*INT32_MAX)^3 elements of I8", Refused("tensor-elements-overflow"),
       [](Model& m) { Only(m, TensorType::kI8, {kSide, kSide, kSide}, 32); }},
      {"I64 of 2^61+1 elements", Refused("tensor-bytes-overflow"),
       [](Model& m) { Only(m, TensorType::kI64, {SIZE_MAX / 8 + 2}, 32); }},
      {"one byte of data short",
       {Answer::kLoads, Answer::kLoads, Answer::kRefuses, "tensor-data-bounds"},
       [](Model& m) {
         Only(m, TensorType::kI8, {32}, 31);
         m.pad_last_tensor = false;
       },
       "without the data the library does not look where they end"},
      {"one byte of padding short",
       {Answer::kLoads, Answer::kLoads, Answer::kRefuses},
       [](Model& m) {
         m.Add("last", TensorType::kI8, {31});
         m.pad_last_tensor = false;
       },
       "real files end so, and llama.cpp maps them: a gate that refuses them cries wolf"},
      {"two I8 tensors of 2^63-64 bytes",
       {Answer::kLoads, Answer::kLoads, Answer::kRefuses, "tensor-total-overflow"},
       [](Model& m) {
         constexpr std::uint64_t kHuge = (std::uint64_t{1} << 63) - 64;
         Only(m, TensorType::kI8, {kHuge}, 64);
         m.tensors.push_back(m.tensors.front());
         m.tensors.back().name = "my_tensor_1";
         m.tensors.back().offset = kHuge;
       },
       "v0.5.0 adds the sizes up only when it makes room for them"},
  };
}

class UpstreamCase : public ReferenceTest, public ::testing::WithParamInterface<Case> {};

TEST_P(UpstreamCase, LibraryAndProfileAnswerAsExpected) {
  const Case& wanted = GetParam();
  Model model = RandomModel(1, kKeys, kTensors);
  wanted.edit(model);
  const std::vector<std::uint8_t> file = Write(model);
  if (!wanted.difference.empty()) RecordProperty("difference", wanted.difference);

  EXPECT_EQ(Library().Ask(file, Mode::kMetadata), wanted.expected.metadata);
  EXPECT_EQ(Library().Ask(file, Mode::kContext), wanted.expected.context);
  EXPECT_EQ(Library().Ask(file, Mode::kData), wanted.expected.data);

  const auto errors = Judge(file, PolicyFor(Profile::kLlamaCpp)).Rules(Severity::kError);
  if (wanted.expected.rule.empty()) {
    EXPECT_THAT(errors, IsEmpty());
  } else {
    EXPECT_THAT(errors, Contains(std::string(wanted.expected.rule)));
  }
}

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (const auto& some : {HeaderCases(), MetadataCases(), TensorCases(), SizeCases()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::string NameOfCase(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Reference, UpstreamCase, ::testing::ValuesIn(AllCases()), NameOfCase);

// If the expectations differ, the case must give the reason.
TEST(UpstreamCases, EveryDifferenceIsExplained) {
  for (const Case& one : AllCases()) {
    const Expected& expected = one.expected;
    const bool loads = expected.rule.empty();
    for (const Answer answer : {expected.metadata, expected.context, expected.data}) {
      const bool same = loads ? answer == Answer::kLoads : answer == Answer::kRefuses;
      EXPECT_TRUE(same || !one.difference.empty()) << one.name;
    }
  }
}

// The upstream round trips have 256 keys and 256 tensors.
using RoundTrips = ReferenceTest;

TEST_F(RoundTrips, RandomModelsLoadInEveryMode) {
  std::vector<std::vector<std::uint8_t>> files;
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    const std::uint64_t alignment = std::uint64_t{1} << seed % 10;
    files.push_back(Write(RandomModel(seed, 256, 256, alignment)));
    std::vector<std::string> errors =
        Judge(files.back(), PolicyFor(Profile::kLlamaCpp)).Rules(Severity::kError);
    // The library reads data at any alignment; the model loader maps them, and aborts.
    if (alignment < 32) std::erase(errors, "alignment-small");
    EXPECT_THAT(errors, IsEmpty()) << "seed " << seed;
  }
  for (const Mode mode : kModes) {
    EXPECT_THAT(Library().AskAll(files, mode), ::testing::Each(Answer::kLoads)) << mode;
  }
}

// Tests the support code: a crash is attributed to the file that caused it, and to no other.
TEST_F(RoundTrips, ADeathDoesNotSpoilTheFilesBehindIt) {
  Model deadly;
  Only(deadly, TensorType::kI8, {std::uint64_t{1} << 62}, 32);
  const std::vector<std::vector<std::uint8_t>> files = {
      Write(Model::Minimal()), Write(deadly), Write(Model::Minimal()), {'G', 'G', 'U', 'F'}};
  EXPECT_THAT(
      Library().AskAll(files, Mode::kData),
      ::testing::ElementsAre(Answer::kLoads, Answer::kDies, Answer::kLoads, Answer::kRefuses));
}

}  // namespace
}  // namespace ggufgate::testing
