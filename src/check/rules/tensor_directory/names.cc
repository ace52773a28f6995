// Rules about tensor names.

#include <algorithm>

#include "check/repeats/repeats.h"
#include "check/rules/rule_functions.h"
#include "format/loader_limits.h"

namespace ggufgate {

void CheckTensorNameLength(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.tensor_name_bytes;
  // Only profile `gate` with a raised limit warns. Profile `diffusion` allows long names, and the
  // limits of the other profiles exclude them.
  const bool warn = context.policy.profile == Profile::kGate && kLongestNameOfLlamaCpp < limit;
  const std::uint64_t fine = warn ? kLongestNameOfLlamaCpp : limit;
  for (const TensorInfo& tensor : context.document.tensors) {
    if (tensor.name.size() <= fine) continue;
    const bool too_long = tensor.name.size() > limit;
    sink.Add({.where = tensor.NameLengthRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{tensor.name.size()},
              .allowed = too_long ? limit : fine,
              .wording = too_long ? TensorNameLengthWording::kTooLong
                                  : TensorNameLengthWording::kTooLongForLlamaCpp,
              .at_most = too_long ? Severity::kError : Severity::kWarning});
  }
}

void CheckTensorNameEmpty(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    if (!tensor.name.empty()) continue;
    sink.Add({.where = tensor.NameLengthRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{0}});
  }
}

void CheckTensorNameDuplicate(const Context& context, Sink& sink) {
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  for (const Repeat repeat :
       FindRepeats(tensors, [](const TensorInfo& tensor) { return tensor.name; })) {
    const TensorInfo& tensor = tensors.at(repeat.index);
    sink.Add({.where = tensor.NameRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = repeat.index,
              .other = repeat.first});
  }
}

void CheckTensorNameNul(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    const std::size_t position = tensor.name.find('\0');
    if (position == std::string_view::npos) continue;
    sink.Add({.where = {.begin = tensor.NameRange().begin + position, .size = 1},
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{position}});
  }
}

void CheckTensorNameCharacters(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    const auto found = std::ranges::find_if(tensor.name, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte > 0 && byte < 0x20) || byte == 0x7F;
    });
    if (found == tensor.name.end()) continue;
    const auto position = static_cast<std::uint64_t>(found - tensor.name.begin());
    sink.Add({.where = {.begin = tensor.NameRange().begin + position, .size = 1},
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{static_cast<unsigned char>(*found)}});
  }
}

}  // namespace ggufgate
