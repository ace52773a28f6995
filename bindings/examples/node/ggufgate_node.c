/* ggufgate for Node.js, with Node-API: one file for every release of Node from 12.
 *
 *   cc -shared -fPIC -I<headers> ggufgate_node.c $(pkg-config --cflags --libs ggufgate) -o
 * ggufgate.node
 *
 * <headers> are those of Node-API: of Debian's libnode-dev in /usr/include/node, or include/ of the
 * npm package node-api-headers.
 *
 *   check(path, options) returns the report as JSON text, checkAsync(path, options) a promise.
 *   options: {data: "none" | "scales" | "full", profile: "gate" | …, jobs: number, sha256: boolean}
 */
#define NAPI_VERSION 5
#include <ggufgate/ggufgate.h>
#include <node_api.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4097, LONGEST_WORD = 16 };

/* One check: its options and its result. */
struct work {
  char path[LONGEST_PATH];
  ggufgate_options options;
  ggufgate_policy* policy;
  ggufgate_status status;
  ggufgate_text* json;
  napi_async_work handle;
  napi_deferred deferred;
};

static void free_work(struct work* work) {
  if (work == NULL) return;
  ggufgate_text_free(work->json);
  ggufgate_policy_free(work->policy);
  free(work);
}

static napi_value failed(napi_env env, const char* why) {
  napi_throw_error(env, NULL, why);
  return NULL;
}

/* Reads a word of the options; "" if it is absent. False if it is not a string or too long. */
static int get_word(napi_env env, napi_value options, const char* name, char word[LONGEST_WORD]) {
  napi_value value;
  napi_valuetype type = napi_undefined;
  size_t size = 0;
  word[0] = '\0';
  if (napi_get_named_property(env, options, name, &value) != napi_ok) return 0;
  if (napi_typeof(env, value, &type) != napi_ok) return 0;
  if (type == napi_undefined) return 1;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &size) != napi_ok || size >= LONGEST_WORD)
    return 0;
  return napi_get_value_string_utf8(env, value, word, LONGEST_WORD, &size) == napi_ok;
}

/* Reads the options into `work`; returns an error message or NULL. Unknown options are ignored, as
 * usual in JavaScript. */
static const char* read_options(napi_env env, napi_value options, struct work* work) {
  static const char* const levels[] = {"none", "scales", "full"};
  char word[LONGEST_WORD];
  napi_value value;
  if (!get_word(env, options, "data", word)) return "data must be a word";
  for (int i = 0; i < 3; ++i) {
    if (strcmp(word, levels[i]) == 0) work->options.data = GGUFGATE_DATA_LEVEL_NONE + i;
  }
  if (word[0] != '\0' && work->options.data == 0) return "data must be none, scales or full";
  if (!get_word(env, options, "profile", word)) return "profile must be a word";
  if (word[0] != '\0') {
    if (ggufgate_policy_of_profile(word, &work->policy) != GGUFGATE_STATUS_OK)
      return "there is no such profile";
    work->options.policy = work->policy;
  }
  napi_get_named_property(env, options, "jobs", &value);
  if (napi_get_value_uint32(env, value, &work->options.jobs) != napi_ok) work->options.jobs = 1;
  bool sha256 = false;
  napi_get_named_property(env, options, "sha256", &value);
  if (napi_get_value_bool(env, value, &sha256) == napi_ok) work->options.sha256 = sha256;
  return NULL;
}

/* Reads the arguments of a call; NULL, and an exception, if they are wrong. */
static struct work* new_work(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  size_t count = 2, size = 0;
  napi_valuetype type = napi_undefined;
  struct work* work = calloc(1, sizeof *work);
  const char* wrong = NULL;
  if (work == NULL) return (struct work*)failed(env, "out of memory");
  work->options = (ggufgate_options)GGUFGATE_OPTIONS_INIT;
  if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != napi_ok || count < 1 ||
      napi_get_value_string_utf8(env, arguments[0], work->path, sizeof work->path, &size) !=
          napi_ok) {
    wrong = "the path must be text";
  } else if (size + 1 >= sizeof work->path || strlen(work->path) != size) {
    wrong = "there is no such path";
  } else if (count > 1 && napi_typeof(env, arguments[1], &type) == napi_ok && type == napi_object) {
    wrong = read_options(env, arguments[1], work);
  }
  if (wrong == NULL) return work;
  free_work(work);
  return (struct work*)failed(env, wrong);
}

/* The check itself, on any thread. */
static void judge(napi_env env, void* data) {
  struct work* const work = data;
  ggufgate_report* report = NULL;
  (void)env;
  work->status = ggufgate_check_path(work->path, &work->options, &report);
  if (work->status == GGUFGATE_STATUS_OK) work->status = ggufgate_report_json(report, &work->json);
  ggufgate_report_free(report);
}

static napi_value text_of(napi_env env, const char* chars, size_t size) {
  napi_value text = NULL;
  return napi_create_string_utf8(env, chars, size, &text) == napi_ok ? text : NULL;
}

static napi_value check(napi_env env, napi_callback_info info) {
  struct work* const work = new_work(env, info);
  if (work == NULL) return NULL;
  judge(env, work);
  napi_value result;
  if (work->status == GGUFGATE_STATUS_OK) {
    result = text_of(env, ggufgate_text_chars(work->json), ggufgate_text_size(work->json));
  } else {
    result = failed(env, ggufgate_status_text(work->status));
  }
  free_work(work);
  return result;
}

/* Back on the thread of JavaScript. */
static void settle(napi_env env, napi_status done, void* data) {
  struct work* const work = data;
  napi_value text, error;
  if (done == napi_ok && work->status == GGUFGATE_STATUS_OK) {
    text = text_of(env, ggufgate_text_chars(work->json), ggufgate_text_size(work->json));
    napi_resolve_deferred(env, work->deferred, text);
  } else {
    const char* const why = done == napi_ok ? ggufgate_status_text(work->status) : "cancelled";
    napi_create_error(env, NULL, text_of(env, why, NAPI_AUTO_LENGTH), &error);
    napi_reject_deferred(env, work->deferred, error);
  }
  napi_delete_async_work(env, work->handle);
  free_work(work);
}

static napi_value check_async(napi_env env, napi_callback_info info) {
  struct work* const work = new_work(env, info);
  napi_value promise;
  if (work == NULL) return NULL;
  if (napi_create_promise(env, &work->deferred, &promise) != napi_ok) {
    free_work(work);
    return failed(env, "no promise could be made");
  }
  if (napi_create_async_work(env, NULL, text_of(env, "ggufgate", NAPI_AUTO_LENGTH), judge, settle,
                             work, &work->handle) != napi_ok ||
      napi_queue_async_work(env, work->handle) != napi_ok) {
    free_work(work);
    return failed(env, "the work could not be begun");
  }
  return promise;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "check", NAPI_AUTO_LENGTH, check, NULL, &function);
  napi_set_named_property(env, exports, "check", function);
  napi_create_function(env, "checkAsync", NAPI_AUTO_LENGTH, check_async, NULL, &function);
  napi_set_named_property(env, exports, "checkAsync", function);
  return exports;
}
