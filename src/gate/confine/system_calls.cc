#include "gate/confine/system_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gate/confine/command_call_rules.h"
#include "gate/confine/fetching_call_rules.h"
#include "gate/confine/rehearsing_call_rules.h"
#include "gate/confine/system_call_rules.h"

namespace ggufgate {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_RISCV64;
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_PPC64LE;
#else
#error "no filter of system calls for this architecture: -DGGUFGATE_CONFINEMENT=OFF"
#endif

constexpr std::uint32_t kCall = offsetof(seccomp_data, nr);

// Offsets of the two halves of an argument. All supported architectures take the flags of clone
// first and are little-endian (s390x does neither).
static_assert(std::endian::native == std::endian::little);
constexpr std::uint32_t LowHalf(unsigned argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * 8);
}
constexpr std::uint32_t HighHalf(unsigned argument) { return LowHalf(argument) + 4; }

constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t ActionFor(SystemCallRule::Answer answer) {
  switch (answer) {
    case SystemCallRule::Answer::kAllow:
      return SECCOMP_RET_ALLOW;
    case SystemCallRule::Answer::kNoSuchCall:
      return SECCOMP_RET_ERRNO | ENOSYS;
    case SystemCallRule::Answer::kRefuse:
      return kRefused;
  }
  return SECCOMP_RET_KILL_PROCESS;
}

// Program is a filter in classic BPF, with one rule after the other. golden_test.cc compares it
// with the filter that libseccomp builds from the same rules. It allocates no memory, because an
// allocation could fail. Source: Documentation/networking/filter.rst,
// Documentation/userspace-api/seccomp_filter.rst in Linux.
class Program {
 public:
  explicit Program(const SystemCallNeeds& needs) {
    Begin();
    for (const SystemCallRule& rule : kSystemCallRules) {
      if (rule.need == SystemCallRule::Need::kReads && !needs.reads) continue;
      if (rule.need == SystemCallRule::Need::kSpools && !needs.spools) continue;
      Add(rule);
    }
    Return(SECCOMP_RET_KILL_PROCESS);
  }

  // Makes a filter of these rules; it refuses a call without a rule.
  explicit Program(std::span<const SystemCallRule> rules) {
    Begin();
    for (const SystemCallRule& rule : rules) Add(rule);
    Return(kRefused);
  }

  bool LoadIntoKernel() {
    const sock_fprog all{.len = size_, .filter = steps_.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all) == 0;
  }

 private:
  static constexpr std::size_t kFrame = 6;  // steps before and after the rules
  static constexpr std::size_t kMostOfRule = 9;
  static constexpr std::size_t kMostRules =
      std::max({kSystemCallRules.size(), kFetchingCallRules.size(), kCommandCallRules.size()});

  // Begin checks the architecture, and loads the number of the call.
  void Begin() {
    Load(offsetof(seccomp_data, arch));
    SkipUnless(kArchitecture, 1);
    Skip(1);
    Return(SECCOMP_RET_KILL_PROCESS);
    Load(kCall);
  }

  void Step(int code, std::uint32_t k, std::uint8_t otherwise = 0) {
    steps_.at(size_++) = {
        .code = static_cast<std::uint16_t>(code), .jt = 0, .jf = otherwise, .k = k};
  }
  void Load(std::uint32_t offset) { Step(BPF_LD | BPF_W | BPF_ABS, offset); }
  void Keep(std::uint32_t mask) { Step(BPF_ALU | BPF_AND | BPF_K, mask); }
  void Skip(std::uint32_t steps) { Step(BPF_JMP | BPF_JA, steps); }
  void SkipUnless(std::uint32_t value, std::uint8_t steps) {
    Step(BPF_JMP | BPF_JEQ | BPF_K, value, steps);
  }
  void Return(std::uint32_t answer) { Step(BPF_RET | BPF_K, answer); }

  // Add expects the number of the call to be loaded, and leaves it loaded.
  void Add(const SystemCallRule& rule) {
    const bool always = rule.when == SystemCallRule::When::kAnyArguments;
    SkipUnless(static_cast<std::uint32_t>(rule.call), always ? 1 : kMostOfRule - 1);
    if (!always) {
      const std::uint64_t bits = rule.when == SystemCallRule::When::kIsOwnProcess
                                     ? static_cast<std::uint64_t>(::getpid())
                                     : rule.bits;
      Load(LowHalf(rule.argument));
      Keep(static_cast<std::uint32_t>(rule.mask));
      SkipUnless(static_cast<std::uint32_t>(bits), 4);
      Load(HighHalf(rule.argument));
      Keep(static_cast<std::uint32_t>(rule.mask >> 32));
      SkipUnless(static_cast<std::uint32_t>(bits >> 32), 1);
    }
    Return(ActionFor(rule.answer));
    if (!always) Load(kCall);
  }

  std::array<sock_filter, kFrame + kMostRules * kMostOfRule> steps_{};
  std::uint16_t size_ = 0;
};

}  // namespace

bool FiltersAreAvailable() {
  const std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

namespace {

absl::Status LoadInto(Program program) {
  if (program.LoadIntoKernel()) return absl::OkStatus();
  return absl::InternalError("cannot confine: the system refuses the seccomp filter");
}

}  // namespace

absl::Status RestrictSystemCalls(const SystemCallNeeds& needs) { return LoadInto(Program(needs)); }

absl::Status RestrictSystemCallsToFetching() { return LoadInto(Program(kFetchingCallRules)); }

absl::Status RestrictSystemCallsToRehearsing() { return LoadInto(Program(kRehearsingCallRules)); }

absl::Status RestrictSystemCallsToCommand() { return LoadInto(Program(kCommandCallRules)); }

}  // namespace ggufgate
