#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Reductions make a file simpler and keep the rest of it, for trimming and minimising. They drop
// records (in runs and alone) with the header's counts and the tensors' data. They shorten arrays,
// strings, keys and names. They cut data and tail. This works for broken files too. A dropped
// record changes only counts, offsets and the padding before the data; nothing else is repaired.
//
// Reductions are numbered from 0; those that remove most are first. A reduction that does not apply
// to the file has no result.

// CountReductions returns the number of reductions for a draft, which is proportional to its
// records.
[[nodiscard]] std::size_t CountReductions(const Draft& draft);

// Reduce writes reduction `step` of `input` to `out`. It uses `draft` and `arena`, which must have
// room for the input. The result is never larger than the input, and never equal to it. If it has
// the same size, padding replaced the bytes of a record.
[[nodiscard]] std::optional<std::size_t> Reduce(Bytes input, std::size_t step, Draft& draft,
                                                Arena& arena, MutableBytes out);

// Reducer owns the memory for reductions.
class Reducer {
 public:
  // It does not reduce files larger than `most_bytes`.
  explicit Reducer(std::size_t most_bytes) : arena_(most_bytes), out_(most_bytes) {}

  [[nodiscard]] std::size_t Count(Bytes input) {
    TakeApart(input, draft_);
    return CountReductions(draft_);
  }
  // Make returns a reduced file, valid until the next call; nullopt if the step does not apply.
  [[nodiscard]] std::optional<Bytes> Make(Bytes input, std::size_t step) {
    if (input.size() > out_.size()) return std::nullopt;
    const std::optional<std::size_t> size = Reduce(input, step, draft_, arena_, out_);
    if (!size) return std::nullopt;
    return Bytes(out_).first(*size);
  }

 private:
  Draft draft_;
  Arena arena_;
  std::vector<std::uint8_t> out_;
};

}  // namespace ggufgate::mutate
