/* load FILE [BACKENDS]: loads a model with llama.cpp, if ggufgate accepts it. BACKENDS is the
 * folder of llama.cpp's back-ends, where they are libraries of their own.
 *
 *   cc load.c $(pkg-config --cflags --libs ggufgate llama) -o load
 */
#include <fcntl.h>
#include <ggufgate/ggufgate.h>
#include <stdio.h>
#include <unistd.h>

#include "ggml-backend.h"
#include "llama.h"

/* llama_model_load_from_file(), but what is loaded is what was judged: the open file, whatever file
 * has the name by then. Who must reckon with somebody who writes to the file runs the loader by
 * `ggufgate run`. */
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
