#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Uses the C interface from C. Returns 0, or the number of the failed step.
int ggufgate_test_gate_from_c(const void* file, size_t size);

#ifdef __cplusplus
}
#endif
