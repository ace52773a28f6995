#include "tests/support/reference/stricter.h"

#include <algorithm>
#include <array>

#include "check/rule.h"

namespace ggufgate::testing {
namespace {

constexpr std::array kStricter = {
    Stricter{"string-nul", "the library reads a text up to the NUL; other readers see another"},
    Stricter{"key-nul", "the library obeys a key that ends at the NUL; other readers see another"},
    Stricter{"tensor-name-nul", "the library cuts the name there; other readers do not"},
    Stricter{"tensor-elements-overflow", "a product that wraps to 0 or below is not checked"},
    Stricter{"tensor-bytes-overflow", "a row is multiplied before it is divided, and wraps"},
    Stricter{"tensor-padding-overflow", "rounding up wraps to 0, and the next tensor lies on top"},
    Stricter{"tensor-total-overflow", "the sum is only looked at when room is made for it"},
    Stricter{"tensor-data-bounds", "without the data, nobody looks where they end"},
    Stricter{"alignment-small", "who maps the file aborts; who reads it does not care"},
    Stricter{"memory-demand", "the library reads the numbers and asks for nothing by them"},
};

constexpr std::array kStricterInGate = {
    Stricter{"key-length", "the specification's bound; the library takes up to 2^30 bytes"},
    Stricter{"key-characters", "the library takes any byte in a key"},
    Stricter{"key-prototype", "readers in JavaScript see another file; the library does not"},
    Stricter{"tensor-name-utf8", "the library takes any byte in a name"},
    Stricter{"tensor-name-invisible", "a reader strips a byte order mark; the library does not"},
    Stricter{"bool-value", "the library reads any other byte than 0 as true"},
    Stricter{"alignment-large", "the library takes every power of two of 32 bits"},
    Stricter{"tensor-dimension-zero", "releases before August 2026 die of SIGFPE"},
    Stricter{"tensor-name-characters", "the library takes any byte in a name"},
    Stricter{"limit-exceeded", "the library takes what memory allows"},
};

}  // namespace

std::span<const Stricter> StricterThanReference() { return kStricter; }
std::span<const Stricter> StricterInGate() { return kStricterInGate; }

bool IsStricterThanReference(const std::string& rule) {
  // gguf_init_from_file parses the container. llama.cpp's model loader interprets the contents.
  const Family family = FindRule(rule)->family;
  if (family > Family::kDataLayout && family < Family::kResources) return true;
  return std::ranges::find(kStricter, rule, &Stricter::rule) != kStricter.end();
}

}  // namespace ggufgate::testing
