#include "tests/support/reference/stricter.h"

#include <algorithm>
#include <array>

namespace ggufgate::testing {
namespace {

constexpr std::array kStricter = {
    Stricter{"string-nul", "the library reads a text up to the NUL; other readers see another"},
    Stricter{"key-nul", "the library obeys a key that ends at the NUL; other readers see another"},
    Stricter{"tensor-name-nul", "the library cuts the name there; other readers do not"},
    Stricter{"tensor-elements-overflow", "a product that wraps to 0 or below is not checked"},
    Stricter{"tensor-bytes-overflow", "a row is multiplied before it is divided, and wraps"},
    Stricter{"tensor-total-overflow", "the sum is only looked at when room is made for it"},
    Stricter{"tensor-data-bounds", "without the data, nobody looks where they end"},
    Stricter{"alignment-small", "who maps the file aborts; who reads it does not care"},
    Stricter{"memory-demand", "the library reads the numbers and asks for nothing by them"},
};

// Profile llama.cpp reports it too, but has other limits.
constexpr std::string_view kOtherLimits = "limit-exceeded";

}  // namespace

std::span<const Stricter> StricterThanReference() { return kStricter; }

bool IsStricterInGate(const Rule& rule) {
  return rule.SeverityIn(Profile::kGate) > rule.SeverityIn(Profile::kLlamaCpp) ||
         rule.slug == kOtherLimits;
}

bool IsStricterThanReference(const std::string& rule) {
  // gguf_init_from_file parses the container. llama.cpp's model loader interprets the contents.
  const Family family = FindRule(rule)->family;
  if (family > Family::kDataLayout && family < Family::kResources) return true;
  return std::ranges::find(kStricter, rule, &Stricter::rule) != kStricter.end();
}

}  // namespace ggufgate::testing
