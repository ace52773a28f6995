#include "check/rules/contract/table/block_check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/table/line_words.h"
#include "check/rules/contract/tensors/roles.h"
#include "format/contracts/contract_words.h"

namespace ggufgate {
namespace {

// The time of a rule is proportional to each of the four, and to the number of tensors. A hostile
// file of contracts can make a check slow; then the limit cpu_seconds of the policy stops it.
constexpr std::size_t kMostUsed = 32;   // lines "used" and "rows"
constexpr std::size_t kMostNext = 64;   // names in lines "next"
constexpr std::size_t kMostFirst = 16;  // keys in lines "first"
constexpr std::size_t kMostShapes = 4;  // lines "shape" with the same name

std::string Quoted(std::string_view text) {
  constexpr std::size_t kShown = 64;
  return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "…\"" : "\"");
}

// AtMost returns a fault if a count exceeds its limit.
std::string AtMost(std::size_t limit, std::size_t count, std::string_view what) {
  if (count <= limit) return "";
  return "too many " + std::string(what) + "; at most " + std::to_string(limit);
}

// BlockCheck reads the lines of a block in order.
class BlockCheck {
 public:
  BlockCheck() {
    // Most learned blocks need no more.
    keys_.reserve(64);
    roles_.reserve(128);
    shapes_.reserve(128);
  }

  // FaultIn returns the fault of the next line; empty if it has none.
  std::string FaultIn(std::string_view text) {
    std::string fault = AtMost(kMostContractLines, ++lines_, "lines in the block");
    if (fault.empty()) fault = AtMost(kLongestContractLine, text.size(), "bytes in the line");
    if (!fault.empty()) return fault;
    if (text.starts_with(' ') || text.ends_with(' ') || text.find("  ") != std::string_view::npos) {
      return "expected words that are separated by one space";
    }
    std::string_view fields = text;
    const std::string_view word = TakeField(fields);
    static_assert(std::ranges::equal(kForms, kContractWords, {}, &Form::word));
    const auto form = std::ranges::find(kForms, word, &Form::word);
    if (form == kForms.end()) return "unknown word " + Quoted(word);
    if (word != last_ && !words_.insert(word).second) {
      return "lines of the word " + Quoted(word) + " must be consecutive";
    }
    last_ = word;
    fault = (this->*form->check)(text, fields);
    if (fault.empty()) fault = AtMost(kMostContractNames, names_, "names in the block");
    return fault == kForm ? "expected \"" + std::string(form->form) + "\"" : fault;
  }

  // FaultAtEnd returns the fault of the whole block.
  [[nodiscard]] std::string FaultAtEnd() const {
    if (key_forms_.empty()) return "the block has no line \"key\"";
    for (std::size_t i = 0; i < kContractFormCount; ++i) {
      const auto form = static_cast<ContractForm>(i);
      if (key_forms_.Has(form) && !tensor_forms_.Has(form)) {
        return std::string("form \"") + kContractFormLetters[i] + "\" has no required tensor";
      }
    }
    return "";
  }

 private:
  // A fault that the description of the line explains.
  static constexpr std::string_view kForm = "form";

  struct Form {
    std::string_view word;
    std::string_view form;  // for people
    std::string (BlockCheck::*check)(std::string_view text, std::string_view fields);
  };

  // OfNames calls `takes` with the parsed line of each name, until it returns false.
  template <typename Takes>
  std::string OfNames(std::string_view text, std::string_view fields, const Takes& takes) {
    const std::string_view names = TakeField(fields);
    if (!IsList(names, ',', [](std::string_view name) { return !name.empty(); })) {
      return std::string(kForm);
    }
    static constexpr std::array<std::uint32_t, 1> kFirst{0};
    const Contract one{.architecture = {}, .vocabulary = {}, .text = text, .lines = kFirst};
    for (const ContractLine& line : ContractLines(one)) {
      ++names_;
      if (std::string fault = takes(line); !fault.empty()) return fault;
    }
    return "";
  }

  // OfPatterns checks a list of names, which must not be empty.
  template <typename Takes>
  std::string OfPatterns(std::string_view fields, const Takes& takes) {
    if (fields.empty()) return std::string(kForm);
    while (!fields.empty()) {
      ++names_;
      const std::string_view name = TakeField(fields);
      if (!IsPattern(name))
        return "expected a name with at most one \"*\" as a whole part, not " + Quoted(name);
      if (std::string fault = takes(name); !fault.empty()) return fault;
    }
    return "";
  }

  // OfTensors is the same for tensors of any layer.
  template <typename Takes>
  std::string OfTensors(std::string_view fields, const Takes& takes) {
    return OfPatterns(fields, [&](std::string_view name) -> std::string {
      if (HasNumber(name)) return "expected \"*\" instead of the number in " + Quoted(name);
      return takes(name);
    });
  }

  std::string CheckKey(std::string_view text, std::string_view fields) {
    return OfNames(text, fields, [&](const ContractLine& line) -> std::string {
      const std::optional<ContractKey> key = KeyOf(line);
      if (!key) return std::string(kForm);
      if (!IsValueOf(*key))
        return "expected values of the type of the key, not " + Quoted(key->value);
      key_forms_.Add(key->forms);
      if (key->after_architecture) keys_.insert(key->name);
      return "";
    });
  }

  std::string CheckTensor(std::string_view text, std::string_view fields) {
    return OfNames(text, fields, [&](const ContractLine& line) {
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (!tensor) return std::string(kForm);
      if (tensor->required) tensor_forms_.Add(tensor->forms);
      return std::string();
    });
  }

  std::string CheckCondition(std::string_view text, std::string_view fields) {
    return OfNames(text, fields, [&](const ContractLine& line) -> std::string {
      std::string_view rest = line.fields;
      const std::string_view ending = TakeField(rest);
      const std::string_view stage = TakeField(rest);
      if (!rest.empty() || !IsEnding(ending) || !IsStage(stage)) return std::string(kForm);
      if (FindCondition(line.name) == nullptr) {
        return "unknown condition " + Quoted(line.name) +
               ": this release of ggufgate cannot check it";
      }
      if (!conditions_.insert(line.name).second) {
        return "condition " + Quoted(line.name) + " is repeated";
      }
      return "";
    });
  }

  std::string CheckRequired(std::string_view /*text*/, std::string_view fields) {
    const std::optional<ContractForms> forms = ContractForms::Read(TakeField(fields));
    if (!forms || forms->empty() || fields.empty()) return std::string(kForm);
    return OfPatterns(fields, [](std::string_view name) {
      return name.find('*') == std::string_view::npos ? std::string() : std::string(kForm);
    });
  }

  std::string CheckRole(std::string_view /*text*/, std::string_view fields) {
    if (FindRole(TakeField(fields)) == nullptr) return std::string(kForm);
    return CheckRoleless({}, fields);
  }

  std::string CheckSought(std::string_view /*text*/, std::string_view fields) {
    const std::string_view reason = TakeField(fields);
    if (std::ranges::find(kSoughtReasons, reason) == kSoughtReasons.end())
      return std::string(kForm);
    return CheckRoleless({}, fields);
  }

  // CheckRoleless is for "role", "sought" and "unfit": each tensor has one role.
  std::string CheckRoleless(std::string_view /*text*/, std::string_view fields) {
    return OfTensors(fields, [&](std::string_view name) -> std::string {
      if (roles_.insert(name).second) return "";
      return Quoted(name) + " is repeated in the lines role, sought and unfit";
    });
  }

  std::string CheckFirst(std::string_view /*text*/, std::string_view fields) {
    return OfPatterns(fields, [&](std::string_view /*name*/) {
      return AtMost(kMostFirst, ++first_, "keys in the line first");
    });
  }

  std::string CheckListed(std::string_view /*text*/, std::string_view fields) {
    return OfTensors(fields, [](std::string_view /*name*/) { return std::string(); });
  }

  std::string CheckLoad(std::string_view /*text*/, std::string_view fields) {
    return std::string(fields == kDividesByDimensions ? std::string_view() : kForm);
  }

  std::string CheckRows(std::string_view /*text*/, std::string_view fields) {
    const std::string_view matrix = TakeField(fields);
    const std::string_view embedding = TakeField(fields);
    const bool whole = !matrix.empty() && !embedding.empty() && fields.empty();
    if (!whole || matrix.find('*') != std::string_view::npos ||
        embedding.find('*') != std::string_view::npos) {
      return std::string(kForm);
    }
    return AtMost(kMostUsed, ++used_, "lines used and rows in the block");
  }

  std::string CheckShape(std::string_view /*text*/, std::string_view fields) {
    const std::string_view dimensions = TakeField(fields);
    if (!IsShape(dimensions, keys_)) {
      return "expected dimensions of the keys of this block, not " + Quoted(dimensions);
    }
    return OfTensors(fields, [&](std::string_view name) -> std::string {
      return AtMost(kMostShapes, ++shapes_[name], "shapes of one tensor");
    });
  }

  std::string CheckUsed(std::string_view /*text*/, std::string_view fields) {
    const std::string_view wanted = TakeField(fields);
    const std::string_view beside = TakeField(fields);
    const bool restricted = !fields.empty();
    std::string_view where = TakeField(fields);
    if (where.starts_with('!')) where.remove_prefix(1);
    const bool whole = IsAlternatives(wanted) && IsPattern(beside) && fields.empty() &&
                       (!restricted || IsAlternatives(where));
    if (!whole) return std::string(kForm);
    return AtMost(kMostUsed, ++used_, "lines used and rows in the block");
  }

  std::string CheckNext(std::string_view /*text*/, std::string_view fields) {
    if (fields == kMakesNone) return "";
    return OfPatterns(fields, [&](std::string_view name) -> std::string {
      if (name.find('*') == std::string_view::npos) return std::string(kForm);
      return AtMost(kMostNext, ++next_, "tensors of next layers");
    });
  }

  static constexpr std::array kForms = {
      Form{"key", "key NAME,… TYPE VALUE FORMS", &BlockCheck::CheckKey},
      Form{"tensor", "tensor NAME,… TYPE DIMENSIONS FORMS required|optional",
           &BlockCheck::CheckTensor},
      Form{"required", "required FORMS KEY…", &BlockCheck::CheckRequired},
      Form{"condition", "condition NAME,… ENDING STAGE", &BlockCheck::CheckCondition},
      Form{"scaled", "scaled NAME…", &BlockCheck::CheckListed},
      Form{"unadapted", "unadapted NAME…", &BlockCheck::CheckListed},
      Form{"load", "load divides-by-dimensions", &BlockCheck::CheckLoad},
      Form{"role", "role ROLE NAME…", &BlockCheck::CheckRole},
      Form{"sought", "sought REASON NAME…", &BlockCheck::CheckSought},
      Form{"unfit", "unfit NAME…", &BlockCheck::CheckRoleless},
      Form{"rows", "rows NAME NAME", &BlockCheck::CheckRows},
      Form{"first", "first KEY…", &BlockCheck::CheckFirst},
      Form{"shape", "shape DIMENSION,… NAME…", &BlockCheck::CheckShape},
      Form{"used", "used NAME|… NAME [[!]NAME|…]", &BlockCheck::CheckUsed},
      Form{"next", "next NAME…", &BlockCheck::CheckNext}};

  std::size_t lines_ = 0;
  std::size_t names_ = 0;
  std::size_t used_ = 0;
  std::size_t next_ = 0;
  std::size_t first_ = 0;
  std::string_view last_;  // word of the line before
  std::unordered_set<std::string_view> words_;
  std::unordered_set<std::string_view> keys_;
  std::unordered_set<std::string_view> conditions_;
  std::unordered_set<std::string_view> roles_;
  std::unordered_map<std::string_view, std::size_t> shapes_;
  ContractForms key_forms_;
  ContractForms tensor_forms_;  // with a required tensor
};

}  // namespace

std::optional<ContractProblem> ProblemIn(const Contract& contract) {
  BlockCheck check;
  std::size_t line = 0;
  for (const std::uint32_t offset : contract.lines) {
    ++line;
    if (std::string fault = check.FaultIn(LineAt(contract.text, offset)); !fault.empty()) {
      return ContractProblem{.line = line, .what = std::move(fault)};
    }
  }
  std::string fault = check.FaultAtEnd();
  if (fault.empty()) return std::nullopt;
  return ContractProblem{.line = line, .what = std::move(fault)};
}

}  // namespace ggufgate
