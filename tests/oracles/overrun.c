// overrun WHAT: uses heap memory correctly or incorrectly. For the test of guarded blocks.

#include <stdlib.h>
#include <string.h>

enum { kSize = 1024 };

// Grows keeps the contents of a block, from small to large and back.
static int Grows(void) {
  unsigned char* block = malloc(16);
  for (size_t size = 16; size < 100000; size *= 3) {
    memset(block, 7, size);
    block = realloc(block, size * 3);
    for (size_t i = 0; i < size; ++i) {
      if (block[i] != 7) return 1;
    }
  }
  block = realloc(block, 16);
  const int kept = block[15] == 7 ? 0 : 1;
  free(block);
  unsigned char* const zeros = calloc(kSize, 3);
  for (size_t i = 0; i < (size_t)kSize * 3; ++i) {
    if (zeros[i] != 0) return 1;
  }
  free(zeros);
  void* aligned = NULL;
  if (posix_memalign(&aligned, 64, kSize) != 0 || (size_t)aligned % 64 != 0) return 1;
  free(aligned);
  return kept;
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "grow") == 0) return Grows();
  volatile unsigned char* const block = malloc(kSize);
  block[kSize - 1] = 1;
  if (strcmp(what, "write") == 0) block[kSize] = 1;
  if (strcmp(what, "read") == 0) return block[kSize] & 0;
  free((void*)block);
  if (strcmp(what, "late") == 0) return block[0] & 0;
  return 0;
}
