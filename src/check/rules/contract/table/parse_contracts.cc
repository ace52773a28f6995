#include "check/rules/contract/table/parse_contracts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ggufgate {
namespace {

constexpr std::string_view kArchitecture = "architecture ";
constexpr std::size_t kLongestName = 64;

ParsedContracts Problem(std::size_t line, std::string what) {
  return {.table = nullptr, .problem = ContractProblem{.line = line, .what = std::move(what)}};
}

bool IsUnprintable(char c) { return c != '\n' && (c < ' ' || c > '~'); }

// UnprintableIn returns the place of the first character that is not printable ASCII.
std::size_t UnprintableIn(std::string_view text) {
  // Counts first, because a compiler can vectorise that.
  if (std::ranges::count_if(text, IsUnprintable) == 0) return std::string_view::npos;
  return static_cast<std::size_t>(std::ranges::find_if(text, IsUnprintable) - text.begin());
}

std::string Hex(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
}

std::size_t NumberOfLineAt(std::string_view text, std::size_t place) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, place), '\n'));
}

// ReleaseIn returns the name in the second line; empty if it is invalid.
std::string_view ReleaseIn(std::string_view line) {
  constexpr std::string_view kWord = "release ";
  if (!line.starts_with(kWord)) return {};
  line.remove_prefix(kWord.size());
  const bool spaced = line.starts_with(' ') || line.ends_with(' ');
  return line.size() <= kLongestReleaseName && !spaced ? line : std::string_view();
}

// ArchitectureIn parses a line "architecture"; nullopt for an invalid one.
std::optional<Contract> ArchitectureIn(std::string_view line) {
  if (!line.starts_with(kArchitecture)) return std::nullopt;
  line.remove_prefix(kArchitecture.size());
  const std::string_view name = TakeField(line);
  const bool known = std::ranges::find(kContractVocabularies, line) != kContractVocabularies.end();
  if (name.empty() || name.size() > kLongestName || !known) return std::nullopt;
  return Contract{.architecture = name, .vocabulary = line, .text = {}, .lines = {}};
}

// TakeLastLine removes the last line and returns it without its end. The text ends with a line end.
std::string_view TakeLastLine(std::string_view& text) {
  text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n') + 1;  // 0 without another line
  const std::string_view line = text.substr(begin);
  text = text.substr(0, begin);
  return line;
}

// TakeBlock removes the lines of a block, up to the next line "architecture", and adds their
// offsets to `lines`. `rest` is the end of `text`. It stops where the block has too many lines.
void TakeBlock(std::string_view text, std::string_view& rest, std::vector<std::uint32_t>& lines) {
  for (std::size_t count = 0; count <= kMostContractLines; ++count) {
    if (rest.empty() || rest.starts_with(kArchitecture)) return;
    lines.push_back(static_cast<std::uint32_t>(text.size() - rest.size()));
    rest.remove_prefix(rest.find('\n') + 1);  // each line has an end
  }
}

}  // namespace

ParsedContracts ParseContracts(std::string text, std::string sha256) {
  const auto owned = std::make_shared<ContractText>();
  owned->text = std::move(text);
  std::string_view rest = owned->text;
  if (rest.size() > kLongestContractsFile)
    return Problem(1, "the file is too large; at most 4 MiB");
  if (std::string_view text_of_head = rest; TakeField(text_of_head, '\n') != kContractsFileHead) {
    return Problem(
        1, "this is no file of contracts: expected \"" + std::string(kContractsFileHead) + "\"");
  }
  if (const std::size_t place = UnprintableIn(rest); place != std::string_view::npos) {
    return Problem(NumberOfLineAt(rest, place),
                   "expected printable ASCII characters, not byte " + Hex(rest[place]));
  }
  if (!rest.ends_with('\n'))
    return Problem(NumberOfLineAt(rest, rest.size()), "expected a line end");
  const std::size_t lines = NumberOfLineAt(rest, rest.size()) - 1;
  const std::string_view end = TakeLastLine(rest);
  if (!end.starts_with(kContractsFileEnd)) {
    return Problem(lines, "expected \"end NUMBER\": the file was cut short");
  }
  const std::string_view whole = rest;
  rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size()));  // the head
  const std::string_view release = ReleaseIn(TakeField(rest, '\n'));
  if (release.empty()) return Problem(2, "expected \"release NAME\", with at most 64 characters");
  std::vector<Contract> contracts;
  std::vector<std::uint32_t>& offsets = owned->lines;
  offsets.reserve(lines);  // so that the contracts can view it
  std::size_t line = 3;    // of `rest`
  do {
    std::optional<Contract> contract = ArchitectureIn(TakeField(rest, '\n'));
    if (!contract) return Problem(line, "expected \"architecture NAME VOCABULARY\"");
    if (!contracts.empty() && contracts.back().architecture >= contract->architecture) {
      return Problem(line, "expected architectures in the order of their names, each once");
    }
    const std::size_t first = offsets.size();
    TakeBlock(whole, rest, offsets);
    contract->text = owned->text;
    contract->lines = std::span(offsets).subspan(first);
    if (std::optional<ContractProblem> problem = ProblemIn(*contract)) {
      return Problem(line + problem->line, std::move(problem->what));
    }
    line += 1 + contract->lines.size();
    contracts.push_back(*contract);
  } while (!rest.empty());
  if (end.substr(kContractsFileEnd.size()) != std::to_string(contracts.size())) {
    return Problem(lines, "expected \"end " + std::to_string(contracts.size()) +
                              "\", the number of architectures");
  }
  return {.table = std::make_shared<const ContractTable>(owned, release, std::move(contracts),
                                                         std::move(sha256)),
          .problem = std::nullopt};
}

}  // namespace ggufgate
