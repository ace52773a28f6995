#include "tests/gate/confine/filter_lines.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ggufgate::testing {
namespace {

using Filter = std::vector<Instruction>;
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr int kUnknownCall = 0x3FFF;  // below the numbers of x32
constexpr std::size_t kArguments = 6;

std::uint32_t Word(const seccomp_data& data, std::uint32_t offset) {
  std::uint32_t word = 0;
  if (offset > sizeof(data) - sizeof(word)) return word;
  std::array<char, sizeof(data)> bytes{};
  std::memcpy(bytes.data(), &data, sizeof(data));
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

// Answer runs the filter: the classic BPF instructions that libseccomp writes. Source:
// Documentation/networking/filter.rst in Linux.
std::uint32_t Answer(const Filter& filter, const seccomp_data& data) {
  std::uint32_t a = 0;
  for (std::size_t at = 0; at < filter.size(); ++at) {
    const Instruction& step = filter[at];
    const auto jump = [&](bool taken) { at += taken ? step.jt : step.jf; };
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        a = Word(data, step.k);
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        a &= step.k;
        break;
      case BPF_JMP | BPF_JA:
        at += step.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        jump(a == step.k);
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        jump(a > step.k);
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        jump(a >= step.k);
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        jump((a & step.k) != 0);
        break;
      case BPF_RET | BPF_K:
        return step.k;
      default:
        std::abort();  // libseccomp uses a new instruction; add it here
    }
  }
  std::abort();
}

std::string WordFor(std::uint32_t answer) {
  switch (answer & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
      return "allow";
    case SECCOMP_RET_KILL_PROCESS:
      return "kill-process";
    case SECCOMP_RET_KILL_THREAD:
      return "kill-thread";
    case SECCOMP_RET_ERRNO:
      return ::strerrorname_np(static_cast<int>(answer & SECCOMP_RET_DATA));
    default:
      return absl::StrFormat("0x%x", answer);
  }
}

seccomp_data CallOf(int number) {
  seccomp_data data = {};
  data.nr = number;
  data.arch = seccomp_arch_native();
  return data;
}

// ValuesFor returns the values that an argument may be compared with: all numbers of the filter.
std::vector<std::uint64_t> ValuesFor(const Filter& filter) {
  std::set<std::uint64_t> values = {0, kAllBits};
  for (const Instruction& step : filter) values.insert(step.k);
  return {values.begin(), values.end()};
}

// ConditionOf returns the argument bits that influence the answer, and their values.
std::string ConditionOf(const Filter& filter, const seccomp_data& data) {
  const std::uint32_t answer = Answer(filter, data);
  std::string text;
  for (std::size_t i = 0; i < kArguments; ++i) {
    std::uint64_t mask = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      seccomp_data other = data;
      other.args[i] ^= std::uint64_t{1} << bit;
      if (Answer(filter, other) != answer) mask |= std::uint64_t{1} << bit;
    }
    if (mask == 0) continue;
    const std::uint64_t value = data.args[i] & mask;
    const std::string shown = value == static_cast<std::uint64_t>(::getpid())
                                  ? "own-process"
                                  : absl::StrFormat("0x%x", value);
    absl::StrAppend(&text, " arg", i, mask == kAllBits ? "" : absl::StrFormat("&0x%x", mask),
                    "==", shown);
  }
  return text;
}

std::string NameOf(int number) {
  char* const name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  std::string text = name != nullptr ? name : absl::StrCat("number-", number);
  std::free(name);
  return text;
}

// Tries calls with one argument that is not 0. If these all give the same answer, it tries two such
// arguments.
void AddLines(const Filter& filter, const std::vector<std::uint64_t>& values, int number,
              std::uint32_t unknown, std::set<std::string>& lines) {
  const std::size_t before = lines.size();
  const auto ask = [&](const seccomp_data& data) {
    const std::uint32_t answer = Answer(filter, data);
    if (answer == unknown) return;
    lines.insert(WordFor(answer) + " " + NameOf(number) + ConditionOf(filter, data));
  };
  for (std::size_t i = 0; i < kArguments; ++i) {
    for (const std::uint64_t value : values) {
      seccomp_data data = CallOf(number);
      data.args[i] = value;
      ask(data);
    }
  }
  for (std::size_t i = 0; i < kArguments && lines.size() == before; ++i) {
    for (std::size_t j = i + 1; j < kArguments; ++j) {
      for (const std::uint64_t first : values) {
        for (const std::uint64_t second : values) {
          seccomp_data data = CallOf(number);
          data.args[i] = first;
          data.args[j] = second;
          ask(data);
        }
      }
    }
  }
}

// IsAlike tells whether none of these arguments changes the answer.
bool IsAlike(const Filter& filter, const std::vector<std::uint64_t>& values, int number) {
  const std::uint32_t answer = Answer(filter, CallOf(number));
  for (const std::uint64_t value : values) {
    seccomp_data data = CallOf(number);
    for (std::size_t i = 0; i < kArguments; ++i) data.args[i] = value;
    if (Answer(filter, data) != answer) return false;
    for (std::size_t i = 0; i < kArguments; ++i) {
      seccomp_data other = CallOf(number);
      other.args[i] = value;
      if (Answer(filter, other) != answer) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> FilterLines(const std::vector<Instruction>& filter) {
  const std::vector<std::uint64_t> values = ValuesFor(filter);
  const std::uint32_t unknown = Answer(filter, CallOf(kUnknownCall));
  seccomp_data foreign = CallOf(0);
  foreign.arch = AUDIT_ARCH_M32R;
  std::set<std::string> lines = {WordFor(unknown) + " any-other-call",
                                 WordFor(Answer(filter, foreign)) + " any-other-architecture"};
  // Numbers that the filter never compares get the answer of unknown calls.
  std::set<std::uint32_t> compared;
  for (const Instruction& step : filter) compared.insert(step.k);
  for (const std::uint32_t number : compared) {
    const std::string name = NameOf(static_cast<int>(number));
    if (name.starts_with("number-")) continue;
    const int call = static_cast<int>(number);
    const std::uint32_t answer = Answer(filter, CallOf(call));
    if (answer != unknown && IsAlike(filter, values, call)) {
      lines.insert(WordFor(answer) + " " + name);
    } else {
      AddLines(filter, values, call, unknown, lines);
    }
  }
  return {lines.begin(), lines.end()};
}

}  // namespace ggufgate::testing
