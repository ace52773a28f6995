#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Uses the C interface from C; 0, or the number of what went wrong.
int ggufgate_test_from_c(void);

#ifdef __cplusplus
}
#endif
