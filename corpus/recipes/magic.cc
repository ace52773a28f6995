// The first four bytes, and files of other kinds with the name of a model.

#include <algorithm>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

// Foreign is a file of another kind: written by a browser, an archiver or for another format.
Recipe Foreign(std::string variant, std::string shows, std::string cause, std::string bytes) {
  bytes.resize(std::max<std::size_t>(bytes.size(), 64), '\0');
  return {.file = "invalid/magic." + variant + ".gguf",
          .shows = std::move(shows),
          .verdict = kReject,
          .rules = {"magic"},
          .recipe = "the first bytes of such a file, at least 64 of them",
          .make = Raw(std::move(bytes)),
          .cause = std::move(cause)};
}

std::string Bytes64(std::initializer_list<int> first) {
  std::string bytes;
  for (const int byte : first) bytes.push_back(static_cast<char>(byte));
  for (int i = static_cast<int>(bytes.size()); i < 64; ++i) {
    bytes.push_back(static_cast<char>(i * 37 % 251));
  }
  return bytes;
}

}  // namespace

Recipes MagicRecipes() {
  Recipes recipes = {
      Foreign(
          "html", "a log-in page saved under the model's name", "html",
          "<!DOCTYPE html>\n<html><head><title>Sign in</title></head>\n<body>403</body></html>\n"),
      Foreign("json", "a server's error message saved under the model's name", "json",
              "{\"error\":\"Access to model test/test-7b is restricted. Please log in.\"}\n"),
      Foreign("git-lfs", "a Git LFS pointer: the repository was cloned without git-lfs", "git-lfs",
              "version https://git-lfs.github.com/spec/v1\n"
              "oid sha256:0000000000000000000000000000000000000000000000000000000000000000\n"
              "size 4368439584\n"),
      Foreign("zip", "a zip archive, or a PyTorch checkpoint", "zip",
              Bytes64({'P', 'K', 3, 4, 20, 0})),
      Foreign("gzip", "a gzip-compressed file", "gzip", Bytes64({0x1F, 0x8B, 8, 0})),
      Foreign("zstd", "a zstd-compressed file", "zstd", Bytes64({0x28, 0xB5, 0x2F, 0xFD})),
      Foreign("xz", "an xz-compressed file", "xz", Bytes64({0xFD, '7', 'z', 'X', 'Z', 0})),
      Foreign("numpy", "a NumPy array", "numpy", Bytes64({0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})),
      Foreign("7z", "a 7-Zip archive", "7z", Bytes64({'7', 'z', 0xBC, 0xAF, 0x27, 0x1C})),
      Foreign("pickle", "a Python pickle, which could run code", "pickle",
              Bytes64({0x80, 2, '}', 'q', 0})),
      Foreign("safetensors", "a safetensors file: the length of a JSON header, then the header",
              "safetensors",
              std::string("\x38\0\0\0\0\0\0\0", 8) +
                  R"({"weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"),
      Foreign("ggml", "a GGML file of early 2023, magic as a little-endian number", "legacy-ggml",
              Bytes64({'l', 'm', 'g', 'g', 0, 0x7D, 0, 0})),
      Foreign("ggmf", "a GGMF file of 2023, magic as a little-endian number", "legacy-ggml",
              Bytes64({'f', 'm', 'g', 'g', 1, 0, 0, 0})),
      Foreign("ggjt", "a GGJT file of 2023, magic as a little-endian number", "legacy-ggml",
              Bytes64({'t', 'j', 'g', 'g', 3, 0, 0, 0})),
      Foreign("zeros", "space that was reserved for a download and never filled", "zeros",
              std::string(128, '\0')),
      Foreign("escape", "a magic of terminal escapes: nobody may print the bytes as they are", "",
              Bytes64({0x1B, '[', '3', '1', 'm', 7})),
      FromBase("invalid/magic.gguf", "a wrong last letter of the magic in a file otherwise sound",
               kReject, {"magic"}, "magic GGUG", [](Model& m) { m.magic = "GGUG"; }),
      FromBase("invalid/magic.lower-case.gguf", "the magic in lower case", kReject, {"magic"},
               "magic gguf", [](Model& m) { m.magic = "gguf"; }),
      FromBase("invalid/magic.one-byte-late.gguf",
               "a byte before the magic: a split that went wrong", kReject, {"magic"},
               "magic \\0GGUF", [](Model& m) { m.magic = std::string("\0GGUF", 5); }),
      FromBase("invalid/magic.reversed.gguf",
               "the magic stored as a number of the other byte order", kReject, {"magic"},
               "magic FUGG, nothing else in the file",
               [](Model& m) {
                 m.magic = "FUGG";
                 m.metadata.clear();
                 m.tensors.clear();
               }),
      FromBase("valid/magic.near-miss.gguf", "the same file with its magic: 47 47 55 46", kAccept,
               {}, "as it is", [](Model&) {}),
  };
  recipes.at(recipes.size() - 2).cause = "reversed-magic";
  return recipes;
}

}  // namespace ggufgate::corpus
