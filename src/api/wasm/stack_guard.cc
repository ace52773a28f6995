// What Debian's clang run-time for WebAssembly, compiled with stack protectors, wants of the C
// library, which has it not.

#include <cstdint>

// The names are not ours to choose.
#pragma clang diagnostic ignored "-Wreserved-identifier"

extern "C" {

extern std::uintptr_t __stack_chk_guard;
std::uintptr_t __stack_chk_guard = 0x5bd1e995;

[[noreturn]] void __stack_chk_fail();
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }

}  // extern "C"
