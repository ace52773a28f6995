/* check FILE...: the verdict on each file and its findings. Exits with 0 if all are accepted.
 *
 *   cc check.c $(pkg-config --cflags --libs ggufgate) -o check
 */
#include <ggufgate/ggufgate.h>
#include <inttypes.h>
#include <stdio.h>

static int accepted(const char* path) {
  ggufgate_options options = GGUFGATE_OPTIONS_INIT;
  ggufgate_report* report = NULL;
  options.data = GGUFGATE_DATA_LEVEL_SCALES;
  const ggufgate_status status = ggufgate_check_path(path, &options, &report);
  if (status != GGUFGATE_STATUS_OK) {
    fprintf(stderr, "%s: %s\n", path, ggufgate_status_text(status));
    return 0;
  }
  static const char* const verdicts[] = {"ok", "reject", "undecided"};
  const int32_t verdict = ggufgate_report_verdict(report);
  printf("%s %s %s\n", verdicts[verdict], path, ggufgate_report_problem(report));
  for (size_t i = 0; i < ggufgate_report_finding_count(report); ++i) {
    ggufgate_finding finding = {.size = sizeof finding};
    if (ggufgate_report_finding(report, i, &finding) != GGUFGATE_STATUS_OK) continue;
    printf("  0x%" PRIx64 " %s %s: %s\n", finding.offset, finding.rule, finding.place,
           finding.message);
  }
  ggufgate_report_free(report);
  return verdict == GGUFGATE_VERDICT_ACCEPT;
}

int main(int count, char** arguments) {
  int all = count > 1;
  for (int i = 1; i < count; ++i) all &= accepted(arguments[i]);
  return all ? 0 : 1;
}
