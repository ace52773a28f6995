// Files that a function of the caller reads, in the C interface.

#include <fcntl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/api/handles.h"

namespace ggufgate::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StrEq;
using Json = nlohmann::json;

// Remote is a file that is read by calls. After the given bytes there are zeros. `answer` may
// return other bytes, depending on the number of the call.
struct Remote {
  explicit Remote(std::vector<std::uint8_t> given, std::uint64_t zeros = 0)
      : bytes(std::move(given)), size(bytes.size() + zeros) {}

  [[nodiscard]] ggufgate_reader reader() {
    return {.size = sizeof(ggufgate_reader), .file_size = size, .context = this, .read = &Read};
  }

  static int Read(void* context, std::uint64_t offset, void* out, std::size_t wanted) {
    auto& self = *static_cast<Remote*>(context);
    ++self.calls;
    self.bytes_read += wanted;
    EXPECT_GT(wanted, 0U);
    EXPECT_LE(wanted, self.size - offset) << offset;
    const MutableBytes room(static_cast<std::uint8_t*>(out), wanted);
    if (self.answer) return self.answer(self.calls, offset, room);
    return self.Give(offset, room);
  }

  int Give(std::uint64_t offset, MutableBytes out) const {
    std::ranges::fill(out, std::uint8_t{0});
    if (offset >= bytes.size()) return 0;
    const Bytes there = Bytes(bytes).subspan(offset);
    std::ranges::copy(there.first(std::min(there.size(), out.size())), out.begin());
    return 0;
  }

  std::vector<std::uint8_t> bytes;
  std::uint64_t size;
  std::uint64_t calls = 0;
  std::uint64_t bytes_read = 0;
  std::function<int(std::uint64_t call, std::uint64_t offset, MutableBytes out)> answer = {};
};

Report CheckedReader(Remote& remote, const ggufgate_options& options = Options()) {
  const ggufgate_reader reader = remote.reader();
  ggufgate_report* report = nullptr;
  const auto status = ggufgate_check_reader(&reader, &options, &report);
  return Report(status == GGUFGATE_STATUS_OK ? report : nullptr);
}

File OpenedReader(Remote& remote, const ggufgate_options& options = Options()) {
  const ggufgate_reader reader = remote.reader();
  ggufgate_file* file = nullptr;
  const auto status = ggufgate_open_reader(&reader, &options, nullptr, &file);
  return File(status == GGUFGATE_STATUS_OK ? file : nullptr);
}

// Two tensors with padding between them, which takes another call.
Model Padded() {
  Model model = Model::Minimal();
  model.Add("more", TensorType::kF32, {100'001});
  model.Add("last", TensorType::kF32, {4});
  return model;
}

std::int32_t VerdictOf(const Report& report) { return ggufgate_report_verdict(report.get()); }

TEST(ReaderC, SaysWhatIsSaidOfTheSameBytesInMemory) {
  const std::vector<std::vector<std::uint8_t>> files = {
      Write(Model::Minimal()),
      Write(Padded()),
      Write(Model::Minimal().Set("", std::uint32_t{1})),
      {},
      {'G', 'G'}};
  for (const std::int32_t data : {GGUFGATE_DATA_LEVEL_NONE, GGUFGATE_DATA_LEVEL_FULL}) {
    for (const std::uint32_t jobs : {1U, 4U}) {
      for (const auto& file : files) {
        ggufgate_options options = Options();
        options.data = data;
        options.jobs = jobs;
        options.sha256 = 1;
        Remote remote(file);
        const Report by_calls = CheckedReader(remote, options);
        const Report in_memory = CheckedMemory(file, options);
        EXPECT_EQ(VerdictOf(by_calls), VerdictOf(in_memory));
        EXPECT_THAT(ggufgate_report_sha256(by_calls.get()),
                    StrEq(ggufgate_report_sha256(in_memory.get())));
        EXPECT_EQ(Json::parse(JsonOf(by_calls)).at("files").at(0).at("findings"),
                  Json::parse(JsonOf(in_memory)).at("files").at(0).at("findings"));
      }
    }
  }
}

TEST(ReaderC, WhatCannotBeReadIsUndecidedWhicheverCallFails) {
  ggufgate_options options = Options();
  options.data = GGUFGATE_DATA_LEVEL_FULL;
  Remote sound(Write(Padded()));
  ASSERT_EQ(VerdictOf(CheckedReader(sound, options)), GGUFGATE_VERDICT_ACCEPT);
  ASSERT_GE(sound.calls, 4U);
  for (const std::uint32_t jobs : {1U, 4U}) {
    options.jobs = jobs;
    for (std::uint64_t failing = 1; failing <= sound.calls; ++failing) {
      Remote remote(Write(Padded()));
      remote.answer = [&](std::uint64_t call, std::uint64_t offset, MutableBytes out) {
        return call == failing ? ETIMEDOUT : remote.Give(offset, out);
      };
      const Report report = CheckedReader(remote, options);
      EXPECT_EQ(VerdictOf(report), GGUFGATE_VERDICT_UNDECIDED) << failing;
      EXPECT_THAT(ggufgate_report_problem(report.get()), HasSubstr("Connection timed out"));
    }
  }
  Remote without_errno(Write(Padded()));
  without_errno.answer = [](std::uint64_t, std::uint64_t, MutableBytes) { return -1; };
  const Report report = CheckedReader(without_errno);
  EXPECT_EQ(VerdictOf(report), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_THAT(ggufgate_report_problem(report.get()), HasSubstr("Input/output error"));
}

TEST(ReaderC, WhatIsLeftUnwrittenIsZeros) {
  Remote remote(Write(Model::Minimal()));
  remote.answer = [](std::uint64_t, std::uint64_t, MutableBytes) { return 0; };
  const Report report = CheckedReader(remote);
  EXPECT_EQ(VerdictOf(report), GGUFGATE_VERDICT_REJECT);
  EXPECT_THAT(JsonOf(report), HasSubstr("magic is 00 00 00 00"));
}

// Only the SHA-256 compares the bytes with those of earlier calls.
TEST(ReaderC, WhoGivesOtherBytesTheSecondTimeIsCaughtByTheDigest) {
  ggufgate_options options = Options();
  options.sha256 = 1;
  Remote remote(Write(Padded()));
  remote.answer = [&](std::uint64_t call, std::uint64_t offset, MutableBytes out) {
    remote.Give(offset, out);
    if (call > 1 && offset == 0) out.back() ^= 1;
    return 0;
  };
  const Report report = CheckedReader(remote, options);
  EXPECT_EQ(VerdictOf(report), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_THAT(ggufgate_report_problem(report.get()), HasSubstr("changed"));
  remote.answer = {};
  EXPECT_EQ(VerdictOf(CheckedReader(remote, options)), GGUFGATE_VERDICT_ACCEPT);
}

TEST(ReaderC, WhoLiesIsAnswered) {
  const auto file = Write(Padded());
  std::mt19937_64 random(18);
  for (int round = 0; round < 200; ++round) {
    Remote remote(file);
    remote.answer = [&](std::uint64_t call, std::uint64_t offset, MutableBytes out) {
      remote.Give(offset, out);
      // Most calls return the right bytes except a few; some fail.
      for (std::uint64_t n = random() % 4; call > 1 && n > 0; --n) {
        out[random() % out.size()] = static_cast<std::uint8_t>(random());
      }
      if (call == 1 && random() % 2 == 0) out[random() % 200 % out.size()] ^= 1;
      return random() % 16 == 0 ? EIO : 0;
    };
    ggufgate_options options = Options();
    options.data = GGUFGATE_DATA_LEVEL_FULL;
    options.sha256 = round % 2;
    options.open_rejected = 1;
    const File opened = OpenedReader(remote, options);
    if (opened == nullptr) continue;
    const std::uint64_t tensors = ggufgate_file_tensor_count(opened.get());
    for (std::uint64_t i = 0; i < tensors; ++i) {
      float number = 0;
      (void)ggufgate_tensor_floats(opened.get(), i, 0, &number, 1);
    }
  }
}

// A vocabulary of pairs whose texts grow, like those of real models: 7 MB.
Model WithVocabulary() {
  Model model = Model::Minimal();
  const auto texts = [](std::size_t count, std::size_t shortest) {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      made.push_back(std::string(shortest + i * 6 / count, 'x') + number);
    }
    return made;
  };
  model.Set("general.description", std::string(3000, 'd'));
  model.Set("list.tokens", texts(128'000, 1));
  model.Set("list.types", std::vector<std::int32_t>(128'000, 1));
  model.Set("list.merges", texts(230'000, 3));
  model.Set("list.template", std::string(6000, 't'));
  for (int i = 0; i < 1000; ++i) {
    model.Add("blk." + std::to_string(i) + ".ffn_gate.weight", TensorType::kF32, {8});
  }
  return model;
}

TEST(ReaderC, ReadsLittleMoreThanTheHeader) {
  const auto file = Write(WithVocabulary());
  const std::uint64_t header = file.size() - 1001 * 32;
  ASSERT_GT(header, 6'500'000U);
  // All bytes of the 40 GB except the front are zeros.
  Remote remote(file, std::uint64_t{40'000'000'000} - file.size());
  EXPECT_EQ(VerdictOf(CheckedReader(remote)), GGUFGATE_VERDICT_ACCEPT);
  EXPECT_LE(remote.bytes_read, header + header / 10);
  EXPECT_LE(remote.calls, 14U);
  RecordProperty("calls", static_cast<int>(remote.calls));
  RecordProperty("bytes", static_cast<int>(remote.bytes_read));

  Remote small(Write(Model::Minimal()), std::uint64_t{1} << 40);
  EXPECT_EQ(VerdictOf(CheckedReader(small)), GGUFGATE_VERDICT_ACCEPT);
  EXPECT_LE(small.calls, 3U);
}

TEST(ReaderC, OpensWhatWasJudged) {
  Model model = Padded();
  Encoder number(ByteOrder::kLittle);
  number.Put(2.5F);
  std::ranges::copy(number.Take(), model.tensors.at(1).data.begin());
  Remote remote(Write(model));
  const File file = OpenedReader(remote);
  ASSERT_NE(file, nullptr);
  float read = 0;
  EXPECT_EQ(ggufgate_tensor_floats(file.get(), 1, 0, &read, 1), GGUFGATE_STATUS_OK);
  EXPECT_EQ(read, 2.5F);
  const void* view = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(ggufgate_tensor_view(file.get(), 1, &view, &size), GGUFGATE_STATUS_UNSUPPORTED);
  remote.answer = [](std::uint64_t, std::uint64_t, MutableBytes) { return EIO; };
  EXPECT_EQ(ggufgate_tensor_floats(file.get(), 1, 0, &read, 1), GGUFGATE_STATUS_IO);

  Remote rejected(Write(Model::Minimal().Set("", std::uint32_t{1})));
  EXPECT_EQ(OpenedReader(rejected), nullptr);
  ggufgate_options options = Options();
  options.open_rejected = 1;
  EXPECT_NE(OpenedReader(rejected, options), nullptr);
}

TEST(ReaderC, RefusesReadersThatItDoesNotKnow) {
  Remote remote(Write(Model::Minimal()));
  const auto status = [](const ggufgate_reader* reader) {
    ggufgate_report* report = nullptr;
    ggufgate_file* file = nullptr;
    const auto given = ggufgate_check_reader(reader, nullptr, &report);
    ggufgate_report_free(report);
    EXPECT_EQ(ggufgate_open_reader(reader, nullptr, nullptr, &file), given);
    ggufgate_file_free(file);
    return given;
  };
  ggufgate_reader reader = remote.reader();
  EXPECT_EQ(status(&reader), GGUFGATE_STATUS_OK);
  EXPECT_EQ(status(nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  ++reader.size;
  EXPECT_EQ(status(&reader), GGUFGATE_STATUS_BAD_ARGUMENT);
  reader = remote.reader();
  reader.read = nullptr;
  EXPECT_EQ(status(&reader), GGUFGATE_STATUS_BAD_ARGUMENT);
  reader = remote.reader();
  reader.file_size = std::uint64_t{1} << 63;
  EXPECT_EQ(status(&reader), GGUFGATE_STATUS_BAD_ARGUMENT);
  reader = remote.reader();
  EXPECT_EQ(ggufgate_check_reader(&reader, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_open_reader(&reader, nullptr, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
}

}  // namespace
}  // namespace ggufgate::testing
