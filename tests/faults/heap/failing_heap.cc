// Replacements for the heap functions of the C library, which they call. They allocate nothing and
// make no system call, so they also count in confined processes.

#include "faults/heap/failing_heap.h"

#include <malloc.h>
#include <pthread.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

// The functions of glibc, under the names that remain when malloc() is replaced.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace ggufgate::faults {
namespace {

HeapPlan* plan = nullptr;  // null: nothing is counted
HeapUse* own = nullptr;
unsigned forks = 0;
bool is_meant = false;

// Become takes a record among the uses. If none is left, nothing fails in the process.
void Become(const char* name) {
  const unsigned place = plan->used.fetch_add(1);
  own = place < plan->uses.size() ? &plan->uses[place] : nullptr;
  if (own == nullptr) return;
  std::snprintf(own->process.data(), own->process.size(), "%s", name);
  is_meant = std::strcmp(own->process.data(), plan->process.data()) == 0;
}

void BeforeFork() {
  if (plan != nullptr) ++forks;
}

void InChild() {
  if (plan == nullptr || own == nullptr) return;
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%.20s.%u", own->process.data(), forks);
  forks = 0;
  Become(name.data());
}

bool Fails() {
  if (own == nullptr) return false;
  const unsigned nth = own->calls.fetch_add(1) + 1;
  if (!is_meant || nth < plan->number) return false;
  if (plan->times != 0 && nth - plan->number >= plan->times) return false;
  plan->failed.fetch_add(1);
  errno = ENOMEM;
  return true;
}

}  // namespace

void BeginFailing(HeapPlan& all) {
  ::pthread_atfork(&BeforeFork, nullptr, &InChild);
  plan = &all;
  Become("0");
}

}  // namespace ggufgate::faults

extern "C" {

void* malloc(std::size_t size) { return ggufgate::faults::Fails() ? nullptr : __libc_malloc(size); }

void* calloc(std::size_t count, std::size_t size) {
  return ggufgate::faults::Fails() ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  return ggufgate::faults::Fails() ? nullptr : __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  return ggufgate::faults::Fails() ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* const got = memalign(alignment, size);
  if (got == nullptr) return ENOMEM;
  *block = got;
  return 0;
}

}  // extern "C"
