#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Uses the C interface from C. Returns 0, or the number of the failed step.
int ggufgate_test_from_c(void);

#ifdef __cplusplus
}
#endif
