// Defaults of AddressSanitizer that ASAN_OPTIONS can override; docs/benchmarks.md has their
// effects.
//
// quarantine: by default, 256 MB of freed memory wait before reuse. With inputs of a few kilobytes,
// every run then touches new pages. 2 MB are the frees of tens of runs, and stay in the processor's
// cache.
//
// context: only the two innermost callers are kept for each allocation. To analyse a crash, use
// ASAN_OPTIONS=malloc_context_size=30.
//
// use after return: stack frames on the heap take a quarter of a run. Fuzzing services disable
// them, too; the targets' smoke runs in CI keep them: sanitizers/asan.options.

extern "C" {
const char* __asan_default_options();
const char* __asan_default_options() {
  return "quarantine_size_mb=2:thread_local_quarantine_size_kb=64:malloc_context_size=2:"
         "detect_stack_use_after_return=0";
}
}
