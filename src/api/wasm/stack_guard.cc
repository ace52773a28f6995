// Symbols of stack protectors. Debian's clang run-time for WebAssembly requires them, and its C
// library lacks them.

#include <cstdint>

// The compiler prescribes the names.
#pragma clang diagnostic ignored "-Wreserved-identifier"

extern "C" {

extern std::uintptr_t __stack_chk_guard;
std::uintptr_t __stack_chk_guard = 0x5bd1e995;

[[noreturn]] void __stack_chk_fail();
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }

}  // extern "C"
