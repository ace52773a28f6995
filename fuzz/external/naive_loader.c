// A loader of GGUF version 3 as it gets written in an afternoon: a stand-in for somebody else's, to
// try the mutator on (docs/mutator.md). It checks most of what it reads. What it forgets, and must
// stay: the number of dimensions of a tensor, which overflows an array.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const uint8_t *data;
  size_t left;
};

struct tensor {
  char name[64];
  uint64_t dims[4];
  uint32_t type;
};

static int take(struct reader *r, void *out, size_t size) {
  if (size > r->left) return 0;
  if (out != NULL) memcpy(out, r->data, size);
  r->data += size;
  r->left -= size;
  return 1;
}

static int skip_string(struct reader *r) {
  uint64_t size;
  return take(r, &size, 8) && take(r, NULL, size);
}

static int skip_value(struct reader *r, uint32_t type) {
  static const uint8_t bytes[13] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  uint32_t element;
  uint64_t count;
  if (type == 8) return skip_string(r);
  if (type != 9) return type < 13 && take(r, NULL, bytes[type]);
  if (!take(r, &element, 4) || !take(r, &count, 8) || element == 9) return 0;
  for (; count > 0; --count) {
    if (!skip_value(r, element)) return 0;
  }
  return 1;
}

static int read_tensor(struct reader *r, struct tensor *t) {
  uint64_t size, offset;
  uint32_t dims;
  if (!take(r, &size, 8) || size == 0 || size >= sizeof(t->name)) return 0;
  if (!take(r, t->name, size) || !take(r, &dims, 4)) return 0;
  for (uint32_t i = 0; i < dims; ++i) {
    if (!take(r, &t->dims[i], 8)) return 0;
  }
  return take(r, &t->type, 4) && t->type < 42 && take(r, &offset, 8);
}

static int load(struct reader *r) {
  uint32_t version, type;
  uint64_t tensors, entries;
  char magic[4];
  int known = 0;  // an architecture was named
  if (!take(r, magic, 4) || memcmp(magic, "GGUF", 4) != 0) return 0;
  if (!take(r, &version, 4) || version != 3 || !take(r, &tensors, 8) || !take(r, &entries, 8)) {
    return 0;
  }
  for (uint64_t i = 0; i < entries; ++i) {
    const struct reader key = *r;
    if (!skip_string(r) || !take(r, &type, 4) || !skip_value(r, type)) return 0;
    known |= type == 8 && key.left > 28 && memcmp(key.data + 8, "general.architecture", 20) == 0;
  }
  if (!known || tensors > r->left / 24) return 0;
  struct tensor *all = calloc(tensors + 1, sizeof(*all));
  uint64_t i = 0;
  while (all != NULL && i < tensors && read_tensor(r, &all[i])) ++i;
  free(all);
  return i == tensors;
}

#ifdef WITH_MAIN
int main(int argc, char **argv) {
  static uint8_t data[1 << 20];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  struct reader reader = {data, fread(data, 1, sizeof(data), file)};
  fclose(file);
  return load(&reader) ? 0 : 1;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct reader reader = {data, size};
  load(&reader);
  return 0;
}
#endif
