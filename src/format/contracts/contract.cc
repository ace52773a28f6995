#include "format/contracts/contract.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "format/contracts/contract_table.h"

namespace ggufgate {
namespace {

// FormOfLetter returns the index of a letter in kContractFormLetters, or npos.
std::size_t FormOfLetter(char letter) { return kContractFormLetters.find(letter); }

// DimensionOf reads "64" or "v".
std::optional<std::uint64_t> DimensionOf(std::string_view word) {
  if (word == "v") return ContractTensor::kTokens;
  const std::optional<std::int64_t> number = ReadInteger(word);
  if (!number || *number <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

bool ReadDims(std::string_view words, ContractTensor& tensor) {
  while (!words.empty()) {
    const std::optional<std::uint64_t> dim = DimensionOf(TakeField(words, ','));
    if (!dim || tensor.dimension_count == tensor.dims.size()) return false;
    tensor.dims.at(tensor.dimension_count++) = *dim;
  }
  return tensor.dimension_count > 0;
}

// IsOfNames returns whether names follow the first word of a line.
bool IsOfNames(std::string_view word) {
  return word == "key" || word == "tensor" || word == "condition";
}

bool IsOfWord(std::string_view line, std::string_view word) {
  return line.size() > word.size() && line[word.size()] == ' ' && line.starts_with(word);
}

bool IsName(std::string_view name) {
  return !name.empty() && std::ranges::count(name, '*') <= 1 && !name.ends_with('/');
}

}  // namespace

std::span<const Contract> AllContracts() { return ContractTable::CompiledIn().All(); }

const Contract* FindContract(std::string_view architecture) {
  return ContractTable::CompiledIn().Find(architecture);
}

std::string_view TakeField(std::string_view& fields, char separator) {
  const std::size_t end = std::min(fields.find(separator), fields.size());
  const std::string_view field = fields.substr(0, end);
  fields.remove_prefix(std::min(end + 1, fields.size()));
  return field;
}

std::span<const std::uint32_t> LinesOf(const Contract& contract, std::string_view word) {
  const auto is_of_word = [&](std::uint32_t offset) {
    return IsOfWord(contract.text.substr(offset), word);
  };
  const auto first = std::ranges::find_if(contract.lines, is_of_word);
  const auto end = std::find_if_not(first, contract.lines.end(), is_of_word);
  return contract.lines.subspan(static_cast<std::size_t>(first - contract.lines.begin()),
                                static_cast<std::size_t>(end - first));
}

ContractLines::Iterator& ContractLines::Iterator::operator++() {
  if (names_.empty()) {
    line_.fields = rest_.empty() ? std::string_view() : LineAt(text_, rest_.front());
    rest_ = rest_.subspan(line_.fields.empty() ? rest_.size() : 1);
    line_.word = TakeField(line_.fields);
    if (IsOfNames(line_.word)) names_ = TakeField(line_.fields);
  }
  line_.name = TakeField(names_, ',');
  return *this;
}

std::optional<ContractForms> ContractForms::Read(std::string_view letters) {
  ContractForms forms;
  for (const char letter : letters) {
    const std::size_t form = FormOfLetter(letter);
    if (form == std::string_view::npos || forms.Has(static_cast<ContractForm>(form))) {
      return std::nullopt;
    }
    forms.bits_ |= 1U << form;
  }
  return forms;
}

ContractForms FormsOf(const ContractLines& keys) {
  ContractForms forms;
  for (const ContractLine& line : keys) {
    if (const std::optional<ContractKey> key = KeyOf(line)) forms.Add(key->forms);
  }
  return forms;
}

ContractForms FormsOf(const Contract& contract) { return FormsOf(ContractLines(contract, "key")); }

std::optional<ContractKey> KeyOf(const ContractLine& line) {
  if (line.word != "key") return std::nullopt;
  std::string_view rest = line.fields;
  ContractKey key{.name = line.name};
  key.after_architecture = !key.name.starts_with('/');
  if (!key.after_architecture) key.name.remove_prefix(1);
  std::string_view type = TakeField(rest);
  key.is_array = type.starts_with('[') && type.ends_with(']');
  if (key.is_array) type = type.substr(1, type.size() - 2);
  const ValueTypeInfo* info = FindValueTypeNamed(type);
  key.value = TakeField(rest);
  const std::optional<ContractForms> forms = ContractForms::Read(TakeField(rest));
  const bool whole = IsName(key.name) && info != nullptr && info->scalar_bytes != 0 &&
                     !key.value.empty() && forms && !forms->empty() && rest.empty();
  if (!whole) return std::nullopt;
  key.type = info->type;
  key.forms = *forms;
  return key;
}

std::optional<ContractTensor> TensorOf(const ContractLine& line) {
  if (line.word != "tensor") return std::nullopt;
  std::string_view rest = line.fields;
  ContractTensor tensor{.name = line.name};
  const TensorTypeInfo* type = FindTensorTypeNamed(TakeField(rest));
  const bool sound = ReadDims(TakeField(rest), tensor);
  const std::optional<ContractForms> forms = ContractForms::Read(TakeField(rest));
  tensor.required = rest == "required";
  const bool whole = IsName(tensor.name) && type != nullptr && sound && forms && !forms->empty() &&
                     (tensor.required || rest == "optional");
  if (!whole) return std::nullopt;
  tensor.type = type->type;
  tensor.forms = *forms;
  return tensor;
}

std::optional<std::int64_t> ReadInteger(std::string_view digits) {
  std::int64_t number = 0;
  const std::string_view::const_iterator end = digits.end();
  const auto [stop, error] =
      std::from_chars(std::to_address(digits.begin()), std::to_address(end), number);
  if (error != std::errc() || stop != std::to_address(end)) return std::nullopt;
  return number;
}

// Numbers of up to 15 digits, and powers of ten up to 10^22, are exact doubles. So the product or
// quotient has only one rounding, and is the nearest double on every machine.
std::optional<double> ReadDecimal(std::string_view digits) {
  constexpr std::int64_t kMostMantissa = 999'999'999'999'999;
  constexpr std::int64_t kMostPower = 22;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const bool has_exponent = digits.find('e') != std::string_view::npos;
  std::string_view fraction = TakeField(digits, 'e');
  const std::optional<std::int64_t> exponent = has_exponent ? ReadInteger(digits) : 0;
  if (!exponent || *exponent < -kMostPower || *exponent > kMostPower) return std::nullopt;
  const std::string_view whole = TakeField(fraction, '.');
  std::int64_t mantissa = 0;
  for (const std::string_view part : {whole, fraction}) {
    for (const char digit : part) {
      if (digit < '0' || digit > '9' || mantissa > kMostMantissa / 10) return std::nullopt;
      mantissa = mantissa * 10 + (digit - '0');
    }
  }
  const std::int64_t power = *exponent - static_cast<std::int64_t>(fraction.size());
  if (whole.empty() || power < -kMostPower || power > kMostPower) return std::nullopt;
  double scale = 1;
  for (std::int64_t i = std::max(power, -power); i > 0; --i) scale *= 10;
  const auto number = static_cast<double>(mantissa);
  const double magnitude = power < 0 ? number / scale : number * scale;
  return negative ? -magnitude : magnitude;
}

}  // namespace ggufgate
