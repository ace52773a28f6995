/* load FILE [BACKENDS]: loads a model with llama.cpp, if ggufgate accepts it. BACKENDS is the
 * folder of llama.cpp's back-ends, if they are separate libraries.
 *
 *   cc load.c $(pkg-config --cflags --libs ggufgate llama) -o load
 */
#include <fcntl.h>
#include <ggufgate/ggufgate.h>
#include <stdio.h>
#include <unistd.h>

#include "ggml-backend.h"
#include "llama.h"

/* llama_model_load_from_file() on the checked file: the open descriptor, even if the name leads to
 * another file later. If somebody could write to the file, run the loader with `ggufgate run`. */
static struct llama_model* load_judged(const char* path, struct llama_model_params params) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  char judged[32];
  ggufgate_report* report = NULL;
  struct llama_model* model = NULL;
  snprintf(judged, sizeof judged, "/proc/self/fd/%d", file);
  if (ggufgate_check_descriptor(file, NULL, &report) == GGUFGATE_STATUS_OK &&
      ggufgate_report_verdict(report) == GGUFGATE_VERDICT_ACCEPT) {
    model = llama_model_load_from_file(judged, params);
  }
  ggufgate_report_free(report);
  close(file);
  return model;
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  if (count > 2) ggml_backend_load_all_from_path(arguments[2]);
  struct llama_model* const model = load_judged(arguments[1], llama_model_default_params());
  if (model == NULL) {
    puts("not loaded");
    return 1;
  }
  printf("loaded, %llu parameters\n", (unsigned long long)llama_model_n_params(model));
  llama_model_free(model);
  return 0;
}
