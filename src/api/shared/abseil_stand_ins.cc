// What libggufgate.so has in place of two objects of Debian's Abseil archives, and of `stderr` in a
// third. The archives are compiled for programs: their thread-local variables, and the address of
// `stderr`, lie at places that no shared library knows, and the linker refuses them. What is
// defined here is found first.
//
// Only Cord needs the two, and only for Cords that are sampled, to profile them. Here none is.
// sanitizers/c_library.cmake says when this file is compiled. An Abseil that wants more does not
// link.

#include <absl/base/config.h>
#include <absl/base/internal/sysinfo.h>
#include <absl/strings/internal/cordz_functions.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

static_assert(ABSL_LTS_RELEASE_VERSION == 20220623, "read the objects of this Abseil first");

// The linker turns every `stderr` of the library into the first of these, and knows the second as
// the C library's (--wrap=stderr).
extern std::FILE* wrapped_stderr __asm__("__wrap_stderr");
extern std::FILE* real_stderr __asm__("__real_stderr");
std::FILE* wrapped_stderr = nullptr;

namespace {
// Before all that is constructed with the usual priority, which may print.
[[gnu::constructor(101)]] void FindStderr() { wrapped_stderr = real_stderr; }
}  // namespace

namespace absl {
ABSL_NAMESPACE_BEGIN

namespace cord_internal {  // cordz_functions.cc

ABSL_CONST_INIT thread_local std::int64_t cordz_next_sample = 1;

bool cordz_should_profile_slow() { return false; }

}  // namespace cord_internal

namespace base_internal {  // sysinfo.cc

// Whoever waits for a lock sleeps instead of spinning.
int NumCPUs() { return 1; }

// What Abseil itself says where it cannot know.
double NominalCPUFrequency() { return 1.0; }

pid_t GetTID() { return static_cast<pid_t>(syscall(SYS_gettid)); }

pid_t GetCachedTID() { return GetTID(); }

}  // namespace base_internal

ABSL_NAMESPACE_END
}  // namespace absl
