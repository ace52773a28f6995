/* The header as C reads it, and the interface as C uses it; together with the mutator's header. */
#include "ggufgate/ggufgate.h"

#include <string.h>

#include "ggufgate/mutator.h"
#include "tests/api/c11.h"

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(ggufgate_options) == 56, "the layout of options stays");
_Static_assert(sizeof(ggufgate_finding) == 136, "the layout of findings stays");
_Static_assert(sizeof(ggufgate_key) == 56, "the layout of keys stays");
_Static_assert(sizeof(ggufgate_tensor) == 128, "the layout of tensors stays");
_Static_assert(sizeof(ggufgate_reader) == 32, "the layout of readers stays");
#endif

int ggufgate_test_gate_from_c(const void* file, size_t size) {
  ggufgate_options options = GGUFGATE_OPTIONS_INIT;
  ggufgate_report* report = NULL;
  ggufgate_file* opened = NULL;
  ggufgate_key key;
  options.data = GGUFGATE_DATA_LEVEL_FULL;
  memset(&key, 0, sizeof key);
  key.size = sizeof key;
  if (ggufgate_open_memory(file, size, &options, &report, &opened) != GGUFGATE_STATUS_OK) return 1;
  if (ggufgate_report_verdict(report) != GGUFGATE_VERDICT_ACCEPT) return 2;
  if (ggufgate_file_key(opened, 0, &key) != GGUFGATE_STATUS_OK) return 3;
  if (key.name_size != strlen("general.architecture")) return 4;
  ggufgate_file_free(opened);
  ggufgate_report_free(report);
  return 0;
}
