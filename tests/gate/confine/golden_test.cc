// Compares the permissions of a confined process with lists that are maintained by hand: system
// calls, rights to files, resource limits. This is a separate executable, because it replaces
// functions of the C library. So a filter is examined and not loaded, every version of Landlock
// exists, and limits are those of an unlimited machine.

#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gate/confine/command_call_rules.h"
#include "gate/confine/confine.h"
#include "gate/confine/fetching_call_rules.h"
#include "gate/confine/landlock.h"
#include "gate/confine/rehearsing_call_rules.h"
#include "gate/confine/system_call_rules.h"
#include "gate/confine/system_calls.h"
#include "tests/gate/confine/filter_lines.h"
#include "tests/support/golden.h"

namespace {

// The arguments of the replaced functions.
struct Recorded {
  std::vector<ggufgate::testing::Instruction> filter;
  long landlock_version = 1;
  int landlock_error = 0;
  std::vector<std::string> landlock;
  std::vector<std::string> limits;
};
Recorded recorded;

// The fields of the newest structure. Older kernels use its first part.
struct Ruleset {
  std::array<std::uint64_t, 3> fields{};  // files, network, scopes
};

std::string LandlockLine(std::string_view what, std::uint64_t rights) {
  return absl::StrFormat("version %d %s 0x%x", recorded.landlock_version, what, rights);
}

long CreateRuleset(const void* attributes, std::size_t size, unsigned long flags) {
  if (attributes == nullptr) {
    errno = recorded.landlock_error;
    if (recorded.landlock_error != 0) return -1;
    return flags == LANDLOCK_CREATE_RULESET_VERSION ? recorded.landlock_version : -1;
  }
  Ruleset ruleset;
  std::memcpy(&ruleset, attributes, std::min(size, sizeof(ruleset)));
  constexpr std::array kNames = {"files", "network", "scopes"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    recorded.landlock.push_back(LandlockLine(kNames.at(i), ruleset.fields.at(i)));
  }
  return ::open("/dev/null", O_PATH | O_CLOEXEC);
}

long AddRule(const void* rule) {
  landlock_path_beneath_attr path = {};
  std::memcpy(&path, rule, sizeof(path));
  std::array<char, 256> name{};
  const std::string link = absl::StrFormat("/proc/self/fd/%d", path.parent_fd);
  const ssize_t size = ::readlink(link.c_str(), name.data(), name.size());
  recorded.landlock.push_back(LandlockLine(
      "for " + std::string(name.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))),
      path.allowed_access));
  return 0;
}

long LoadFilter(const void* program) {
  sock_fprog all = {};
  std::memcpy(&all, program, sizeof(all));
  recorded.filter.resize(all.len);
  std::memcpy(recorded.filter.data(), all.filter, all.len * sizeof(recorded.filter.front()));
  return 0;
}

}  // namespace

extern "C" {

long syscall(long number, ...) {
  std::array<unsigned long, 6> given{};
  va_list list;
  va_start(list, number);
  for (unsigned long& argument : given) argument = va_arg(list, unsigned long);
  va_end(list);
  // NOLINTBEGIN(performance-no-int-to-ptr)
  switch (number) {
    case SYS_landlock_create_ruleset:
      return CreateRuleset(reinterpret_cast<const void*>(given[0]), given[1], given[2]);
    case SYS_landlock_add_rule:
      return AddRule(reinterpret_cast<const void*>(given[2]));
    case SYS_seccomp:  // libseccomp passes nothing, to query the kernel's abilities
      if (given[0] != SECCOMP_SET_MODE_FILTER || given[1] != 0 || given[2] == 0) break;
      return LoadFilter(reinterpret_cast<const void*>(given[2]));
    case SYS_landlock_restrict_self:
      recorded.landlock.push_back(LandlockLine("restricts itself", given[1]));
      return 0;
    default:
      break;
  }
  // NOLINTEND(performance-no-int-to-ptr)
  using SystemCall = long (*)(long, ...);
  const auto real = reinterpret_cast<SystemCall>(::dlsym(RTLD_NEXT, "syscall"));
  return real(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

int getrlimit(__rlimit_resource_t /*resource*/, rlimit* limit) noexcept {
  *limit = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  return 0;
}

int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  const std::array<std::pair<int, const char*>, 16> names = {{{RLIMIT_AS, "AS"},
                                                              {RLIMIT_CORE, "CORE"},
                                                              {RLIMIT_CPU, "CPU"},
                                                              {RLIMIT_DATA, "DATA"},
                                                              {RLIMIT_FSIZE, "FSIZE"},
                                                              {RLIMIT_LOCKS, "LOCKS"},
                                                              {RLIMIT_MEMLOCK, "MEMLOCK"},
                                                              {RLIMIT_MSGQUEUE, "MSGQUEUE"},
                                                              {RLIMIT_NICE, "NICE"},
                                                              {RLIMIT_NOFILE, "NOFILE"},
                                                              {RLIMIT_NPROC, "NPROC"},
                                                              {RLIMIT_RSS, "RSS"},
                                                              {RLIMIT_RTPRIO, "RTPRIO"},
                                                              {RLIMIT_RTTIME, "RTTIME"},
                                                              {RLIMIT_SIGPENDING, "SIGPENDING"},
                                                              {RLIMIT_STACK, "STACK"}}};
  const char* name = "?";
  for (const auto& [number, word] : names) {
    if (number == static_cast<int>(resource)) name = word;
  }
  recorded.limits.push_back(absl::StrCat(name, " ", limit->rlim_cur, " ", limit->rlim_max));
  return 0;
}

}  // extern "C"

namespace ggufgate::testing {
namespace {

std::vector<std::string> FilterOf(const SystemCallNeeds& needs) {
  recorded.filter.clear();
  EXPECT_TRUE(RestrictSystemCalls(needs).ok());
  EXPECT_FALSE(recorded.filter.empty());
  return FilterLines(recorded.filter);
}

// The lines that a need adds; also those that it removes, which would be an error.
void AddOnlyIn(const std::vector<std::string>& with, const std::vector<std::string>& without,
               const std::string& word, std::vector<std::string>& lines) {
  for (const std::string& line : with) {
    if (std::ranges::count(without, line) == 0) lines.push_back(word + " " + line);
  }
}

TEST(Golden, SystemCalls) {
#ifndef __x86_64__
  GTEST_SKIP() << "the list is of x86-64, whose numbers and flags others do not share";
#endif
  const std::vector<std::string> always = FilterOf({.reads = false, .spools = false});
  const std::vector<std::string> reads = FilterOf({.reads = true, .spools = false});
  const std::vector<std::string> spools = FilterOf({.reads = false, .spools = true});
  std::vector<std::string> lines;
  for (const std::string& line : always) lines.push_back("always " + line);
  AddOnlyIn(reads, always, "reads", lines);
  AddOnlyIn(spools, always, "spools", lines);
  AddOnlyIn(always, reads, "not-reads", lines);
  AddOnlyIn(always, spools, "not-spools", lines);
  ExpectGolden("gate/confine/golden_system_calls.txt", lines);
}

std::vector<std::string> FilterOfFetching() {
  recorded.filter.clear();
  EXPECT_TRUE(RestrictSystemCallsToFetching().ok());
  return FilterLines(recorded.filter);
}

TEST(Golden, FetchingCalls) {
#ifndef __x86_64__
  GTEST_SKIP() << "the list is of x86-64, whose numbers and flags others do not share";
#endif
  ExpectGolden("gate/confine/golden_fetching_calls.txt", FilterOfFetching());
}

std::vector<std::string> FilterOfRehearsing() {
  recorded.filter.clear();
  EXPECT_TRUE(RestrictSystemCallsToRehearsing().ok());
  return FilterLines(recorded.filter);
}

TEST(Golden, RehearsingCalls) {
#ifndef __x86_64__
  GTEST_SKIP() << "the list is of x86-64, whose numbers and flags others do not share";
#endif
  ExpectGolden("gate/confine/golden_rehearsing_calls.txt", FilterOfRehearsing());
}

std::vector<std::string> FilterOfCommand() {
  recorded.filter.clear();
  EXPECT_TRUE(RestrictSystemCallsToCommand().ok());
  return FilterLines(recorded.filter);
}

// A command has all calls of a library, and a few more.
TEST(Golden, CommandCalls) {
#ifndef __x86_64__
  GTEST_SKIP() << "the list is of x86-64, whose numbers and flags others do not share";
#endif
  std::vector<std::string> more = FilterOfCommand();
  for (const std::string& line : FilterOfRehearsing()) {
    EXPECT_EQ(std::erase(more, line), 1U) << line;
  }
  ExpectGolden("gate/confine/golden_command_calls.txt", more);
}

// The lines of libseccomp's filter for the same rules.
std::vector<std::string> LinesByLibseccomp(std::span<const SystemCallRule> rules,
                                           const SystemCallNeeds& needs,
                                           std::uint32_t otherwise = SCMP_ACT_KILL_PROCESS) {
  using Rule = SystemCallRule;
  const auto filter = seccomp_init(otherwise);
  EXPECT_EQ(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), 0);
  for (const Rule& rule : rules) {
    if (rule.need == Rule::Need::kReads && !needs.reads) continue;
    if (rule.need == Rule::Need::kSpools && !needs.spools) continue;
    const std::uint32_t answer = rule.answer == Rule::Answer::kAllow        ? SCMP_ACT_ALLOW
                                 : rule.answer == Rule::Answer::kNoSuchCall ? SCMP_ACT_ERRNO(ENOSYS)
                                                                            : SCMP_ACT_ERRNO(EPERM);
    const bool own = rule.when == Rule::When::kIsOwnProcess;
    const scmp_arg_cmp compare{.arg = rule.argument,
                               .op = SCMP_CMP_MASKED_EQ,
                               .datum_a = rule.mask,
                               .datum_b = own ? static_cast<scmp_datum_t>(::getpid()) : rule.bits};
    const unsigned count = rule.when == Rule::When::kAnyArguments ? 0 : 1;
    EXPECT_EQ(seccomp_rule_add_array(filter, answer, static_cast<int>(rule.call), count, &compare),
              0);
  }
  const int file = ::memfd_create("filter", MFD_CLOEXEC);
  EXPECT_EQ(seccomp_export_bpf(filter, file), 0);
  seccomp_release(filter);
  std::vector<Instruction> program(BPF_MAXINSNS);
  const ssize_t size = ::pread(file, program.data(), program.size() * sizeof(Instruction), 0);
  EXPECT_GT(size, 0);
  program.resize(static_cast<std::size_t>(size) / sizeof(Instruction));
  ::close(file);
  return FilterLines(program);
}

// On every architecture, unlike the list above.
TEST(Golden, AFilterIsWhatLibseccompWouldMake) {
  for (const bool reads : {false, true}) {
    for (const bool spools : {false, true}) {
      const SystemCallNeeds needs{.reads = reads, .spools = spools};
      EXPECT_EQ(FilterOf(needs), LinesByLibseccomp(kSystemCallRules, needs)) << reads << spools;
    }
  }
}

TEST(Golden, SoIsThatOfTheProcessThatFetches) {
  EXPECT_EQ(FilterOfFetching(), LinesByLibseccomp(kFetchingCallRules, {}, SCMP_ACT_ERRNO(EPERM)));
}

TEST(Golden, AndThatOfTheProcessThatRehearses) {
  EXPECT_EQ(FilterOfRehearsing(),
            LinesByLibseccomp(kRehearsingCallRules, {}, SCMP_ACT_ERRNO(EPERM)));
  EXPECT_EQ(FilterOfCommand(), LinesByLibseccomp(kCommandCallRules, {}, SCMP_ACT_ERRNO(EPERM)));
}

// An executable file can be read, and nothing else of its folder.
TEST(Golden, RightsToExecute) {
  recorded.landlock.clear();
  recorded.landlock_version = 4;
  EXPECT_TRUE(RestrictFiles({}, Network::kNone, {}, {"/dev/null"}).ok());
  EXPECT_THAT(recorded.landlock,
              ::testing::UnorderedElementsAre("version 4 files 0x7fff", "version 4 network 0x3",
                                              "version 4 scopes 0x0", "version 4 for /dev/null 0x5",
                                              "version 4 restricts itself 0x0"));
}

// Permission to list a folder does not include permission to read it.
TEST(Golden, RightsToList) {
  recorded.landlock.clear();
  recorded.landlock_version = 4;
  EXPECT_TRUE(RestrictFiles({}, Network::kNone, {"/dev", "/dev/null", "/no/such/folder"}).ok());
  EXPECT_THAT(recorded.landlock,
              ::testing::UnorderedElementsAre("version 4 files 0x7fff", "version 4 network 0x3",
                                              "version 4 scopes 0x0", "version 4 for /dev 0x8",
                                              "version 4 restricts itself 0x0"));
}

// The fetching process may connect, but not bind a port.
TEST(Golden, RightsOfTheProcessThatFetches) {
  recorded.landlock.clear();
  recorded.landlock_version = 4;
  EXPECT_TRUE(RestrictFiles({"/dev/null"}, Network::kConnects).ok());
  EXPECT_THAT(recorded.landlock,
              ::testing::UnorderedElementsAre("version 4 files 0x7fff", "version 4 network 0x1",
                                              "version 4 scopes 0x0", "version 4 for /dev/null 0x4",
                                              "version 4 restricts itself 0x0"));
}

TEST(Golden, RightsToFiles) {
  recorded.landlock.clear();
  for (recorded.landlock_version = 1; recorded.landlock_version <= 7; ++recorded.landlock_version) {
    EXPECT_TRUE(RestrictFiles({"/dev/null", "/no/such/file"}).ok());
  }
  ExpectGolden("gate/confine/golden_landlock.txt", recorded.landlock);
}

// Files stay unrestricted only if the system reports that there is no Landlock.
TEST(Landlock, ItsAbsenceIsToldFromItsErrors) {
  for (const int absent : {ENOSYS, EOPNOTSUPP, EPERM}) {
    recorded.landlock_error = absent;
    EXPECT_TRUE(RestrictFiles({}).ok()) << absent;
    EXPECT_FALSE(LandlockIsAvailable().value()) << absent;
  }
  for (const int error : {EINTR, EIO, ENOMEM, EAGAIN, EINVAL}) {
    recorded.landlock_error = error;
    EXPECT_FALSE(RestrictFiles({}).ok()) << error;
    EXPECT_FALSE(LandlockIsAvailable().ok()) << error;
  }
  recorded.landlock_error = 0;
}

// Found returns what a confined child observes.
std::string Found() {
  int signal = 0;
  ::prctl(PR_GET_PDEATHSIG, &signal);
  std::string found = absl::StrCat("death-signal ", signal, "\nno-new-privileges ",
                                   ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), "\nlandlock ",
                                   recorded.landlock.empty() ? "none" : "restricted", "\nfilter ",
                                   recorded.filter.empty() ? "none" : "loaded", "\n");
  for (const std::string& limit : recorded.limits) absl::StrAppend(&found, "limit ", limit, "\n");
  return found;
}

// FoundBy appends what a child with this confinement observes, with `word` before each line.
void FoundBy(std::string_view word, const Confinement& confinement,
             std::vector<std::string>& lines) {
  recorded = {};
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const absl::StatusOr<int> code = RunConfined(confinement, [&] {
    const std::string found = Found();
    return ::write(ends[1], found.data(), found.size()) == static_cast<ssize_t>(found.size()) ? 0
                                                                                              : 1;
  });
  ::close(ends[1]);
  std::array<char, 4096> text{};
  const ssize_t size = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  ASSERT_TRUE(code.ok()) << code.status();
  ASSERT_EQ(*code, 0);
  ASSERT_GT(size, 0);
  std::string_view rest(text.data(), static_cast<std::size_t>(size));
  while (!rest.empty()) {
    lines.push_back(
        absl::StrCat(std::string(word), " ", std::string(rest.substr(0, rest.find('\n')))));
    rest.remove_prefix(rest.find('\n') + 1);
  }
}

TEST(Golden, ResourceLimits) {
  std::vector<std::string> lines;
  FoundBy("by-default", {}, lines);
  FoundBy("without-writing", {.writes = false}, lines);
  FoundBy("spooling", {.writes = false, .spools = true}, lines);
  ExpectGolden("gate/confine/golden_limits.txt", lines);
}

}  // namespace
}  // namespace ggufgate::testing
