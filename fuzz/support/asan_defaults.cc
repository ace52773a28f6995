// What AddressSanitizer is told unless ASAN_OPTIONS says otherwise; docs/benchmarks.md has what it
// is worth.
//
// quarantine: freed memory waits in 256 MB before it is used again, unless told. With inputs of a
// few kilobytes every run then touches fresh pages; 2 MB are the frees of tens of runs and stay in
// the processor's cache.
//
// context: of every piece of memory the two innermost callers are kept; who looks at a crash asks
// for more with ASAN_OPTIONS=malloc_context_size=30.
//
// use after return: frames on the heap cost a quarter of a run. Services for fuzzing go without
// too; the targets' smoke runs in CI keep it: sanitizers/asan.options.

extern "C" {
const char* __asan_default_options();
const char* __asan_default_options() {
  return "quarantine_size_mb=2:thread_local_quarantine_size_kb=64:malloc_context_size=2:"
         "detect_stack_use_after_return=0";
}
}
