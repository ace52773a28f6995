// What AddressSanitizer is told unless ASAN_OPTIONS says otherwise. Freed memory waits in 256 MB
// before it is used again, unless told: with inputs of a few kilobytes every run then touches fresh
// pages, which costs more than half of a run. 16 MB are the frees of hundreds of runs.

extern "C" {
const char* __asan_default_options();
const char* __asan_default_options() { return "quarantine_size_mb=16:malloc_context_size=12"; }
}
