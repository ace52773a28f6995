// A simple loader for GGUF version 3, as an example of a third-party loader for the mutator
// (docs/mutator.md). It checks its input, with one exception that must stay: it has room for 16
// metadata keys and does not count them.
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
  if (!take(r, t->name, size) || !take(r, &dims, 4) || dims > 4) return 0;
  for (uint32_t i = 0; i < dims; ++i) {
    if (!take(r, &t->dims[i], 8)) return 0;
  }
  return take(r, &t->type, 4) && t->type < 42 && take(r, &offset, 8);
}

static int read_entry(struct reader *r, const char **key) {
  uint64_t size;
  uint32_t type;
  if (!take(r, &size, 8) || size == 0 || size > r->left) return 0;
  *key = (const char *)r->data;
  return take(r, NULL, size) && take(r, &type, 4) && skip_value(r, type);
}

static int read_records(struct reader *r, uint64_t entries, const char **keys, uint64_t tensors,
                        struct tensor *all) {
  for (uint64_t i = 0; i < entries; ++i) {
    if (!read_entry(r, &keys[i])) return 0;
  }
  for (uint64_t i = 0; i < tensors; ++i) {
    if (!read_tensor(r, &all[i])) return 0;
  }
  return 1;
}

static int load(struct reader *r) {
  uint32_t version;
  uint64_t tensors, entries;
  char magic[4];
  if (!take(r, magic, 4) || memcmp(magic, "GGUF", 4) != 0) return 0;
  if (!take(r, &version, 4) || version != 3 || !take(r, &tensors, 8) || !take(r, &entries, 8)) {
    return 0;
  }
  if (tensors > r->left / 25) return 0;
  const char **keys = malloc(16 * sizeof(*keys));
  struct tensor *all = calloc(tensors + 1, sizeof(*all));
  int loaded = keys != NULL && all != NULL && read_records(r, entries, keys, tensors, all);
  for (uint64_t i = 0; loaded && i < entries; ++i) loaded = *keys[i] != '.';
  free(all);
  free(keys);
  return loaded;
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
int naive_loader_loaded;  // external, so that the compiler keeps the loading

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct reader reader = {data, size};
  naive_loader_loaded = load(&reader);
  return 0;
}
#endif
