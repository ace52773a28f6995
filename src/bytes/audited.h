#pragma once

// GGUFGATE_AUDITED_BEGIN and _END fence the few lines that pair a raw pointer with a length or walk
// one. Everywhere else in src/ clang's -Wunsafe-buffer-usage is an error; `git grep AUDITED` lists
// what a reviewer has to believe.

#if defined(__clang__) && __clang_major__ >= 16
#define GGUFGATE_AUDITED_BEGIN _Pragma("clang unsafe_buffer_usage begin")
#define GGUFGATE_AUDITED_END _Pragma("clang unsafe_buffer_usage end")
#else
#define GGUFGATE_AUDITED_BEGIN
#define GGUFGATE_AUDITED_END
#endif
