// An allocator to preload. After every block of 256 bytes or more there is an inaccessible page,
// and new memory is not zero. So a read or write after a block crashes immediately.

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

// Functions of glibc, for small blocks.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

enum { kPage = 4096, kSmall = 256, kGlibcAlignment = 16 };
static const size_t kMostFilled = (size_t)8 << 20;  // bytes that are filled in a new block
static const size_t kMost = (size_t)1 << 40;

// Guarded blocks have a separate address range, and no address is used twice. So a use after free
// crashes, too.
static const uintptr_t kBegin = 0x600000000000u;
static const uintptr_t kEnd = 0x680000000000u;
static _Atomic uintptr_t next_address = 0x600000000000u;

// The page before the first page of a block.
struct Header {
  size_t size;
  size_t mapped;
};

static int IsGuarded(const void* block) {
  const uintptr_t address = (uintptr_t)block;
  return address >= kBegin && address < kEnd;
}

static struct Header* HeaderOf(void* block) {
  return (struct Header*)(((uintptr_t)block & ~(uintptr_t)(kPage - 1)) - kPage);
}

static void* Guarded(size_t size, size_t alignment) {
  if (size > kMost) {
    errno = ENOMEM;
    return NULL;
  }
  if (alignment < kGlibcAlignment) alignment = kGlibcAlignment;
  if (alignment > kPage) return __libc_memalign(alignment, size);
  const size_t room = (size + alignment - 1) & ~(alignment - 1);
  const size_t pages = (room + kPage - 1) / kPage;
  const size_t mapped = (pages + 2) * kPage;
  const uintptr_t address = atomic_fetch_add(&next_address, mapped);
  if (address + mapped > kEnd) return __libc_memalign(alignment, size);
  char* const memory =
      mmap((void*)address, mapped, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  // The kernel allows a process 65,530 mappings, and a block takes two. Blocks above that limit are
  // not guarded.
  if (memory == MAP_FAILED) return __libc_memalign(alignment, size);
  char* const guard = memory + (pages + 1) * kPage;
  if (mprotect(guard, kPage, PROT_NONE) != 0) {
    munmap(memory, mapped);
    return __libc_memalign(alignment, size);
  }
  char* const block = guard - room;
  // The header is found through the first page of the block.
  struct Header* const header = HeaderOf(block);
  header->size = size;
  header->mapped = mapped;
  return block;
}

static void* Filled(void* block, size_t size, int byte) {
  if (block != NULL && IsGuarded(block) && size <= kMostFilled) memset(block, byte, size);
  return block;
}

void* malloc(size_t size) {
  if (size < kSmall) return __libc_malloc(size);
  return Filled(Guarded(size, kGlibcAlignment), size, 0xA5);
}

void free(void* block) {
  if (block == NULL) return;
  if (!IsGuarded(block)) {
    __libc_free(block);
    return;
  }
  const int before = errno;
  struct Header* const header = HeaderOf(block);
  munmap(header, header->mapped);
  errno = before;
}

void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  if (bytes < kSmall) return __libc_calloc(count, size);
  void* const block = Guarded(bytes, kGlibcAlignment);
  // Pages of the kernel are zero; memory of glibc need not be.
  if (block != NULL && !IsGuarded(block)) memset(block, 0, bytes);
  return block;
}

void* memalign(size_t alignment, size_t size) {
  if (size < kSmall) return __libc_memalign(alignment, size);
  return Filled(Guarded(size, alignment), size, 0xA5);
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const block = memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *out = block;
  return 0;
}

size_t malloc_usable_size(void* block) {
  if (block == NULL) return 0;
  if (IsGuarded(block)) return HeaderOf(block)->size;
  // Glibc keeps the size and three flags before a block. The rest of the chunk extends into the
  // next one.
  const size_t chunk = ((const size_t*)block)[-1];
  return (chunk & ~(size_t)7) - ((chunk & 2) != 0 ? 2 : 1) * sizeof(size_t);
}

void* realloc(void* old, size_t size) {
  if (old == NULL) return malloc(size);
  if (!IsGuarded(old) && size < kSmall) return __libc_realloc(old, size);
  void* const block = malloc(size);
  if (block == NULL) return NULL;
  const size_t before = malloc_usable_size(old);
  memcpy(block, old, before < size ? before : size);
  free(old);
  return block;
}
