// Valid files that were damaged in transfer. The gate must reject them and report the cause.

#include <algorithm>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

// Whole returns a model with the parts that the damages need: multi-line text, a vocabulary, bytes
// above 0x7F.
FileBytes Whole() {
  Model m = Base();
  std::string text;
  for (int i = 0; i < 24; ++i) text += "{% set line = " + std::to_string(i) + " %}\n";
  m.Set("tokenizer.chat_template", text);
  std::vector<std::string> tokens;
  for (int i = 0; i < 200; ++i) tokens.push_back("token" + std::to_string(i));
  m.Set("tokenizer.ggml.tokens", tokens);
  AddFloats(m, "more", 770);
  return Write(m);
}

// ThroughUtf8 decodes a file as UTF-8, replaces each invalid byte by U+FFFD, and encodes it again.
// It works for files whose bytes above 0x7F never form a character, as in Whole().
FileBytes ThroughUtf8(const FileBytes& file) {
  FileBytes out;
  for (const std::uint8_t byte : file) {
    if (byte < 0x80) {
      out.push_back(byte);
    } else {
      out.insert(out.end(), {0xEF, 0xBF, 0xBD});
    }
  }
  return out;
}

// ThroughTextMode puts a carriage return before each line feed.
FileBytes ThroughTextMode(const FileBytes& file) {
  FileBytes out;
  for (const std::uint8_t byte : file) {
    if (byte == '\n') out.push_back('\r');
    out.push_back(byte);
  }
  return out;
}

// ZerosFrom replaces all bytes from `begin` on by zeros.
FileBytes ZerosFrom(FileBytes file, std::size_t begin) {
  std::ranges::fill(MutableBytes(file).subspan(begin), std::uint8_t{0});
  return file;
}

Recipe Damaged(std::string name, std::string shows, std::vector<std::string> rules,
               std::string cause, std::string recipe, std::function<FileBytes()> make) {
  return {.file = "invalid/damage-" + std::move(name) + ".gguf",
          .shows = std::move(shows),
          .verdict = kReject,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = std::move(make),
          .cause = std::move(cause)};
}

}  // namespace

Recipes DamageRecipes() {
  return {
      {.file = "valid/damage-none.gguf",
       .shows = "the model whose damaged copies are in invalid/damage-*",
       .verdict = kAccept,
       .recipe = "a chat template of 24 lines, 200 tokens, a second tensor of 770 values",
       .make = Whole},
      Damaged("utf8-replaced",
              "the file went through a text decoder: every byte over 0x7F became EF BF BD, the "
              "length of the chat template among them",
              {"string-length"}, "utf8-replaced", "decoded and encoded as UTF-8",
              [] { return ThroughUtf8(Whole()); }),
      Damaged("cr-lf",
              "the file went through a text-mode transfer: what stands behind the chat template is "
              "24 bytes late",
              {"string-length"}, "cr-lf", "a carriage return before each line feed",
              [] { return ThroughTextMode(Whole()); }),
      Damaged("cut-short", "the download stopped inside the data of the first tensor",
              {"tensor-data-bounds"}, "cut-short", "all but the first 24 bytes of the data cut off",
              FirstBytes(Whole, -(3104 + 8))),
      Damaged(
          "cut-in-last-tensor",
          "the download stopped inside the data of the last tensor, or its dimensions are wrong: "
          "from the file alone nobody can tell",
          {"tensor-data-bounds"}, "maybe-cut-short",
          "all but the first 800 bytes of the last tensor cut off",
          FirstBytes(Whole, -(3104 - 800))),
      Damaged("cut-in-vocabulary", "the download stopped inside the vocabulary", {"array-count"},
              "maybe-cut-short", "the first 700 bytes", FirstBytes(Whole, 700)),
      Damaged("hole",
              "space was reserved for the download and its end never arrived: the zeros read as "
              "empty tokens and as tensors without name or dimensions",
              {"string-nul", "token-duplicate", "tensor-name-duplicate", "tensor-name-empty",
               "tensor-order", "tensor-overlap", "trailing-bytes"},
              "hole", "zeros from byte 1500, inside the vocabulary, to the end",
              [] { return ZerosFrom(Whole(), 1500); }),
  };
}

}  // namespace ggufgate::corpus
