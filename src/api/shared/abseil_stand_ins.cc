// Replaces two objects of Debian's Abseil archives in libggufgate.so, and `stderr` for a third.
// Debian compiles its archives for programs: they address thread-local variables and `stderr`
// directly. The linker refuses such addresses in a shared library. It finds the definitions here
// first, and so leaves out the two objects.
//
// Abseil needs the two objects to profile sampled Cords. This library samples no Cord.
// sanitizers/c_library.cmake compiles this file where it is needed. If an Abseil needs more, the
// link fails.

#include <absl/base/config.h>
#include <absl/base/internal/sysinfo.h>
#include <absl/strings/internal/cordz_functions.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

static_assert(ABSL_LTS_RELEASE_VERSION == 20220623,
              "this file replaces objects of Abseil 20220623");

// With --wrap=stderr, the linker binds each `stderr` of the library to __wrap_stderr. The name
// __real_stderr is the variable of the C library.
extern std::FILE* wrapped_stderr __asm__("__wrap_stderr");
extern std::FILE* real_stderr __asm__("__real_stderr");
std::FILE* wrapped_stderr = nullptr;

namespace {
// Runs before constructors of the usual priority, because they may print.
[[gnu::constructor(101)]] void FindStderr() { wrapped_stderr = real_stderr; }
}  // namespace

namespace absl {
ABSL_NAMESPACE_BEGIN

namespace cord_internal {  // cordz_functions.cc

ABSL_CONST_INIT thread_local std::int64_t cordz_next_sample = 1;

bool cordz_should_profile_slow() { return false; }

}  // namespace cord_internal

namespace base_internal {  // sysinfo.cc

// With one processor, Abseil's locks do not spin.
int NumCPUs() { return 1; }

// Abseil returns the same value for an unknown frequency.
double NominalCPUFrequency() { return 1.0; }

pid_t GetTID() { return static_cast<pid_t>(syscall(SYS_gettid)); }

pid_t GetCachedTID() { return GetTID(); }

}  // namespace base_internal

ABSL_NAMESPACE_END
}  // namespace absl
