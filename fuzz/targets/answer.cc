// answer: answers of a server, as `src/remote` parses them; the input may contain several.
//
// The input is a conversation. An empty line ends an answer; the lines are its header. A line that
// begins with '>' is the request: "> BEGIN END", or "> whole". For any text of a server, only the
// requested bytes are accepted, of one file. Text of a server reaches a request or a message only
// in a form that is safe there.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/support/target.h"
#include "remote/address.h"
#include "remote/answer.h"
#include "remote/fetch_config.h"
#include "remote/fetch_wire.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

constexpr std::size_t kMostAnswers = 64;

bool IsPrintable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
}

std::string_view CutLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

// WantedIn parses "> 0 100", and limits the numbers to those that a checking process may request.
WantedBytes WantedIn(std::string_view line) {
  if (line.find("whole") != std::string_view::npos) return {.whole = true};
  std::uint64_t numbers[2] = {0, 0};
  std::size_t which = 0;
  for (const char c : line.substr(std::min<std::size_t>(2, line.size()))) {
    if (c == ' ' && which == 0) which = 1;
    if (c < '0' || c > '9') continue;
    std::uint64_t& number = numbers[which];
    if (number < UINT64_MAX / 20) number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return {.begin = numbers[0], .end = std::max(numbers[0] + 1, numbers[1])};
}

// Parses the numbers of an answer in another way than TakeAnswer() does.
void CheckNumbers(const AnswerHead& head) {
  const std::string& length = head.Field("content-length");
  if (const auto size = ParseSize(length)) {
    const std::size_t zeros = std::min(length.find_first_not_of('0'), length.size() - 1);
    Require(std::to_string(*size) == length.substr(zeros), "a size is the digits that came");
  }
  if (const auto range = ParseContentRange(head.Field("content-range"))) {
    Require(!range->range || (range->range->size > 0 && range->range->FitsIn(range->total)),
            "a range lies in its file");
  }
  const std::string& date = head.Field("last-modified");
  if (HttpDate(date)) Require(IsPrintable(date), "a date is one line");
}

void CheckTaken(const WantedBytes& wanted, const AnswerHead& head, const FilePin& before,
                const FilePin& pin, std::uint64_t bytes) {
  Require(pin.size.has_value(), "an answer that is taken says how long the file is");
  Require(!before.size || before.size == pin.size, "the size stays");
  Require(!pin.linked_size || pin.linked_size == pin.size, "a redirect named the same size");
  Require(head.contradicted().empty(), "no field says two things");
  if (head.status() == 416) {
    Require(bytes == 0 && *pin.size == 0, "only of an empty file there is no range");
    return;
  }
  if (wanted.whole) {
    Require(head.status() == 200 && bytes == *pin.size, "a whole file is whole");
  } else if (*pin.size == 0) {
    Require(head.status() == 200 && bytes == 0, "an empty file has come");
  } else {
    const ByteRange range = ByteRange::Between(wanted.begin, std::min(wanted.end, *pin.size));
    const auto said = ParseContentRange(head.Field("content-range"));
    Require(head.status() == 206 && said && said->range == range && said->total == *pin.size &&
                range.size == bytes,
            "the bytes are those that were asked for");
  }
  if (!before.pinned) return;
  Require(before.entity == pin.entity && before.modified == pin.modified, "the version stays");
  Require(!pin.Validator().empty(), "what is put together has a name");
}

void CheckRedirect(const AnswerHead& head, FilePin& pin) {
  const absl::Status linked = PinLinked(head, pin);
  Require(linked.ok() ||
              IsPrintable(std::string_view(linked.message().data(), linked.message().size())),
          "a message is text");
  const absl::StatusOr<Address> address = ParseAddress(head.Field("location"));
  if (!address.ok()) return;
  Require(address->host.find_first_of("@/\\?# \r\n%") == std::string::npos && address->port != 0,
          "a host is one host");
  Require(address->target.starts_with('/') && IsPrintable(address->target), "a target is a path");
  const absl::StatusOr<Address> again = ParseAddress(address->Text());
  Require(again.ok() && again->Text() == address->Text(), "an address reads back to itself");
}

// Messages of the other process are untrusted, too.
void CheckWire(Bytes input, const FilePin& pin) {
  const RemoteFacts facts{.size = pin.size.value_or(0),
                          .fetched = input.size(),
                          .requests = 1,
                          .entity = pin.entity,
                          .linked_entity = pin.linked_entity.substr(0, kLongestFact),
                          .modified = pin.modified};
  Require(ReadFacts(WriteFacts(facts)) == facts, "facts cross as they are");
  if (const auto told = ReadFacts(input)) {
    const std::vector<std::uint8_t> written = WriteFacts(*told);
    Require(std::ranges::equal(written, input), "facts are all that came");
  }
  if (const auto config = ReadFetchConfig(AsText(input))) {
    const auto again = ReadFetchConfig(WriteFetchConfig(*config));
    Require(again && again->urls == config->urls && again->token == config->token,
            "what the fetcher is told reads back to itself");
  }
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  std::string_view text = AsText(copy.bytes());
  FilePin pin;
  for (std::size_t answers = 0; answers < kMostAnswers && !text.empty(); ++answers) {
    AnswerHead head;
    WantedBytes wanted{.begin = 0, .end = std::uint64_t{512} << 10};
    std::size_t bytes = 0;
    while (!text.empty()) {
      const std::string_view line = CutLine(text);
      if (line == "\n" || line == "\r\n") break;
      if (line.starts_with('>')) {
        wanted = WantedIn(line);
        continue;
      }
      bytes += line.size();
      Require(head.Take(line) == (bytes <= AnswerHead::kMostBytes), "heads are bounded");
      if (bytes > AnswerHead::kMostBytes) return;
    }
    CheckNumbers(head);
    const int status = head.status();
    if (status >= 300 && status < 400) {
      CheckRedirect(head, pin);
    } else if (status == 200 || status == 206 || status == 416) {
      const FilePin before = pin;
      const absl::StatusOr<std::uint64_t> taken = TakeAnswer(wanted, head, pin);
      if (taken.ok()) CheckTaken(wanted, head, before, pin, *taken);
      const std::string why(taken.status().message());
      Require(IsPrintable(why) && why.size() < 300, "a message is text, of ours alone");
      Require(IsPrintable(pin.Validator()), "what is sent back is one line");
      if (!taken.ok()) break;  // the file has failed
    }
  }
  CheckWire(copy.bytes(), pin);
}
