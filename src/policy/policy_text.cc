#include "policy/policy_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "check/loaders/loader_names.h"
#include "check/rule.h"
#include "format/contracts/contract_table.h"
#include "policy/policy_file.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

// TomlString writes a TOML string that parses to `text` and is safe for a terminal. Characters that
// EscapeText() escapes become TOML escapes. Bytes that are not UTF-8, which TOML cannot represent,
// become U+FFFD.
std::string TomlString(std::string_view text) {
  const std::string escaped = EscapeText(text);
  std::string_view rest = escaped;
  std::string out = "\"";
  while (!rest.empty()) {
    std::string_view part = rest.substr(0, 1);
    if (part == "\"") {
      out += "\\\"";
    } else if (rest.starts_with("\\x")) {
      // \xHH: a control character, or a byte that is not UTF-8.
      part = rest.substr(0, 4);
      const bool ascii = part.at(2) < '8';
      out += ascii ? "\\u00" + std::string(part.substr(2)) : "\\uFFFD";
    } else if (rest.starts_with("\\u{")) {
      part = rest.substr(0, rest.find('}') + 1);  // \u{HHHH}, of four to six digits
      const std::string digits(part.substr(3, part.size() - 4));
      out += "\\U" + std::string(8 - digits.size(), '0') + digits;
    } else if (part == "\\") {
      part = rest.substr(0, 2);
      out += part;
    } else {
      out += part;
    }
    rest.remove_prefix(part.size());
  }
  return out + "\"";
}

template <typename Items, typename TextOf>
std::string TomlList(const Items& items, TextOf text_of) {
  std::string out;
  for (const auto& item : items) {
    out += (out.empty() ? "" : ", ") + TomlString(text_of(item));
  }
  return "[" + out + "]";
}

// LimitText writes the value of a limit in the largest unit that fits it.
std::string LimitText(std::uint64_t value, std::string_view unit) {
  if (value > INT64_MAX) return TomlString(kUnlimited);
  constexpr std::uint64_t kKiB = 1 << 10;
  constexpr std::uint64_t kMiB = 1 << 20;
  if (unit != "bytes" || value == 0 || value % kKiB != 0) return std::to_string(value);
  return value % kMiB == 0 ? TomlString(std::to_string(value / kMiB) + " MiB")
                           : TomlString(std::to_string(value / kKiB) + " KiB");
}

// Contracts that were loaded from a file have no name that a policy can use.
std::string LoadersText(const Policy& policy) {
  std::vector<std::string> names;
  for (const auto& loader : policy.loaders) {
    if (loader->IsCompiledIn()) names.push_back(NameOfRelease(loader->release()));
  }
  const auto name = [](const std::string& text) { return text; };
  const std::vector newest = {NameOfRelease(kContractRelease)};
  return (names.empty() ? "# loaders = " + TomlList(newest, name)
                        : "loaders = " + TomlList(names, name)) +
         "  # each must run the file: see check --loader\n";
}

// The text is built without streams, because the JavaScript module contains this code, too.
std::string HeadText(const Policy& policy) {
  const auto word = [](const auto& words, auto value) {
    return TomlString(words.at(static_cast<std::size_t>(value)));
  };
  const std::size_t most =
      std::clamp<std::size_t>(policy.findings_per_rule, 1, kMostFindingsPerRule);
  std::string out = "schema = " + TomlString(kPolicySchema) + "\n";
  out += "profile = " + word(kProfileWords, policy.profile);
  out += "  # gate | llama.cpp | spec | diffusion\n";
  out += "fail_on = " + TomlString(WordFor(policy.fail_on)) + "  # error | warning | note\n";
  out += "data = " + word(kDataScanWords, policy.data) + "  # none | scales | full\n";
  out += "rehearsal = " + word(kRehearsalNeedWords, policy.rehearsal);
  out += "  # optional | required: see check --rehearse\n";
  out += "target = " + word(kTargetOrderWords, policy.target);
  out += "  # byte order of the machines: little | big | any\n";
  out += LoadersText(policy);
  out += "findings_per_rule = " + std::to_string(most);
  return out + "  # kept for each severity; all are counted\n";
}

std::string SeveritiesText(const Policy& policy) {
  std::string out =
      "\n# error | warning | note | off. Comment lines show the settings of the profile.\n";
  out += "[severity]\n";
  for (const Rule& rule : AllRules()) {
    const bool chosen = std::ranges::count(policy.severities, rule.id, &SeverityChoice::rule) > 0;
    out += (chosen ? "" : "# ") + std::string(rule.slug) + " = ";
    out += TomlString(WordFor(rule.SeverityIn(policy)));
    out += OnlyAFault(rule) ? "  # always\n" : "\n";
  }
  return out;
}

std::string LimitsText(const Policy& policy) {
  std::string out = "\n[limits]\n";
  for (const LimitInfo& limit : AllLimits()) {
    out += "# " + std::string(limit.unit) + "; " + std::string(limit.reason) + "\n";
    out += std::string(limit.name) + " = ";
    out += LimitText(policy.limits.*limit.value, limit.unit) + "\n";
  }
  return out;
}

std::string AllowedText(const Policy& policy) {
  std::string out = "\n# Only listed values are allowed; without a list, all are.\n[allow]\n";
  if (policy.architectures.empty()) {
    out += "# architectures = [\"llama\"]\n";
  } else {
    const auto name = [](const std::string& architecture) { return architecture; };
    out += "architectures = " + TomlList(policy.architectures, name) + "\n";
  }
  if (policy.tensor_types.empty()) return out + "# tensor_types = [\"F16\", \"Q4_K\"]\n";
  const auto name = [](TensorType type) {
    return FindTensorType(static_cast<std::uint32_t>(type))->name;
  };
  return out + "tensor_types = " + TomlList(policy.tensor_types, name) + "\n";
}

std::string SuppressionsText(const Policy& policy) {
  std::string out;
  for (const Suppression& suppression : policy.suppressions) {
    out += "\n[[suppress]]\nrule = " + TomlString(RuleOf(suppression.rule).slug);
    out += "\nreason = " + TomlString(suppression.reason) + "\n";
    if (!suppression.sha256.empty()) out += "sha256 = " + TomlString(suppression.sha256) + "\n";
    if (!suppression.path.empty()) out += "path = " + TomlString(suppression.path) + "\n";
  }
  return out;
}

}  // namespace

std::string PolicyText(const Policy& policy) {
  return HeadText(policy) + SeveritiesText(policy) + LimitsText(policy) + AllowedText(policy) +
         SuppressionsText(policy);
}

}  // namespace ggufgate
