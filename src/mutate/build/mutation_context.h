#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/file/writer.h"
#include "mutate/memory/arena.h"
#include "mutate/memory/copy_bytes.h"
#include "mutate/memory/leaf_mutator.h"
#include "mutate/memory/random.h"
#include "mutate/memory/string_set.h"

namespace ggufgate::mutate {

class RunningModel;

// MutationContext has the state of one mutant: the draft, and after Write() its bytes.
//
// An edit changes the draft. A lie changes the repaired draft, or writes it and changes the bytes.
// Both return false if they do not apply. The draft stays valid then, but may have additions.
class MutationContext {
 public:
  MutationContext(Draft& draft, Draft& donor, Arena& arena, Placement& placement, StringSet& seen,
                  MutableBytes out, Random& random, LeafMutator leaf)
      : draft(draft),
        donor(donor),
        arena(arena),
        placement(placement),
        seen(seen),
        random(random),
        leaf(leaf),
        out_(out) {}

  Draft& draft;
  Draft& donor;  // records to borrow; used only in a crossover
  Arena& arena;
  Placement& placement;  // valid after Write()
  StringSet& seen;
  Random& random;
  const LeafMutator leaf;           // nullptr without an engine
  RunningModel* running = nullptr;  // set while a model that runs is made
  // Tells by its slug whether the example of a lie counts in repair; nullptr: every one.
  bool (*chosen)(std::string_view slug) = nullptr;

  // room returns the largest allowed size of a mutant, in bytes.
  [[nodiscard]] std::size_t room() const { return out_.size(); }

  // Write writes the draft; afterwards only bytes change. False if it does not fit.
  [[nodiscard]] bool Write() {
    if (written_) return true;
    written_ = WriteRepaired(draft, out_, placement);
    size_ = written_ ? placement.size : 0;
    return written_;
  }
  [[nodiscard]] bool written() const { return written_; }
  // WriteAsIs writes the draft without repair, with its pieces and its tail.
  [[nodiscard]] bool WriteAsIs() {
    const std::optional<std::size_t> size = WriteAsItStands(draft, {.first = draft.tail}, out_);
    written_ = size.has_value();
    size_ = size.value_or(0);
    return written_;
  }
  // Take replaces the written draft with a copy of `bytes`, cut to the available room.
  void Take(Bytes bytes) {
    size_ = std::min(bytes.size(), out_.size());
    CopyBytes(bytes.first(size_), out_);
    written_ = true;
  }

  [[nodiscard]] MutableBytes bytes() const { return out_.first(size_); }
  // all returns the whole buffer, which begins with bytes(), for callers that enlarge the file.
  [[nodiscard]] MutableBytes all() const { return out_; }
  void Resize(std::size_t size) { size_ = std::min(size, out_.size()); }

  // Get and Put read and write a number of the written file, in its byte order. `at` comes from
  // placement. If an earlier lie has cut the file before `at`, Get returns 0 and Put does nothing.
  template <Scalar T>
  [[nodiscard]] T Get(std::uint64_t at) const {
    return Holds(at, sizeof(T)) ? Load<T>(bytes().subspan(at), draft.encoding.order) : T{};
  }
  template <Scalar T>
  void Put(std::uint64_t at, T value) {
    if (!Holds(at, sizeof(T))) return;
    Store(value, draft.encoding.order, bytes().subspan(at));
    lie_at = at;
  }

  // Holds returns whether the written file has `count` bytes at `at`.
  [[nodiscard]] bool Holds(std::uint64_t at, std::size_t count) const {
    return at <= size_ && count <= size_ - at;
  }

  // Cut truncates the written file to `size`.
  [[nodiscard]] bool Cut(std::uint64_t size) {
    if (size >= size_) return false;
    size_ = size;
    lie_at = size;
    return true;
  }

  // Insert inserts `count` bytes with unspecified values into the written file; false without room.
  [[nodiscard]] bool Insert(std::uint64_t at, std::size_t count) {
    if (at > size_ || count > out_.size() - size_) return false;
    const MutableBytes moved = out_.subspan(at, size_ - at + count);
    std::ranges::copy_backward(moved.first(size_ - at), moved.end());
    size_ += count;
    lie_at = at;
    return true;
  }

  // The file offset of the lie, if it is in one place. Lies set it.
  std::optional<std::uint64_t> lie_at;

 private:
  MutableBytes out_;
  std::size_t size_ = 0;
  bool written_ = false;
};

}  // namespace ggufgate::mutate
