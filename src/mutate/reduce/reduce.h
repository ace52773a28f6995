#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Reductions make a file simpler and keep the rest of it as it is, for trimming and minimising:
// records dropped, in runs and alone, with the header's counts and the tensors' data; arrays,
// strings, keys and names shortened; data and tail cut. Broken files too: nothing is repaired but
// what a dropped record moves, which are counts, offsets and the padding before the data.
//
// They are numbered from 0, those that remove most first. One that does not apply to the file has
// no result.

// CountReductions is how many there are for a file that was taken apart; in proportion to the
// records in it.
[[nodiscard]] std::size_t CountReductions(const Draft& draft);

// Reduce makes reduction number `step` of `input` in `out`. `draft` and `arena`, with room for
// the input, are used on the way. What comes out is never larger than the input and never the
// input; where it is as large, padding took what a record gave up.
[[nodiscard]] std::optional<std::size_t> Reduce(Bytes input, std::size_t step, Draft& draft,
                                                Arena& arena, MutableBytes out);

// Reducer keeps the memory that it takes.
class Reducer {
 public:
  // Files larger than `most_bytes` are not reduced.
  explicit Reducer(std::size_t most_bytes) : arena_(most_bytes), out_(most_bytes) {}

  [[nodiscard]] std::size_t Count(Bytes input) {
    TakeApart(input, draft_);
    return CountReductions(draft_);
  }
  // Make gives a reduced file, which lives until the next; nullopt when the step does not apply.
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
