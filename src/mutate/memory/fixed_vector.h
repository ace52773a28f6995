#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace ggufgate::mutate {

// FixedVector is a list with a fixed capacity, which the constructor allocates. Add and Insert
// return false if it is full.
//
// Every record of every mutant passes through one several times, so speed matters. Spans store
// their size; vectors compute it with a division. Keep calls its argument in one place only, so
// that it can be inlined.
template <typename T>
class FixedVector {
 public:
  explicit FixedVector(std::size_t room) : things_(room), room_(things_) {}
  FixedVector(const FixedVector&) = delete;  // a copy would view the memory of the original
  FixedVector& operator=(const FixedVector&) = delete;

  [[nodiscard]] bool Full() const { return used_.size() >= room_.size(); }
  bool Add(const T& thing) {
    const std::span<T> room = room_;
    const std::size_t at = used_.size();
    if (at >= room.size()) return false;
    room[at] = thing;
    used_ = room.first(at + 1);
    return true;
  }
  bool Insert(std::size_t at, const T& thing) {
    if (Full()) return false;
    const T inserted = thing;  // `thing` may be an element that moves
    Resize(used_.size() + 1);
    const std::span<T> moved = used_.subspan(at);
    std::ranges::move_backward(moved.first(moved.size() - 1), moved.end());
    moved.front() = inserted;
    return true;
  }
  void Remove(std::size_t at) {
    const std::span<T> moved = used_.subspan(at);
    std::ranges::move(moved.subspan(1), moved.begin());
    Resize(used_.size() - 1);
  }
  // Keep removes the elements for which `wanted` is false. The order stays.
  template <typename Wanted>
  void Keep(Wanted wanted) {
    std::size_t kept = 0;
    for (T& thing : used_) {
      if (!wanted(thing)) continue;
      T& place = used_[kept++];
      if (&place != &thing) place = thing;
    }
    Resize(kept);
  }
  void Cut(std::size_t size) { Resize(std::min(size, used_.size())); }
  void Clear() { Resize(0); }

  [[nodiscard]] bool empty() const { return used_.empty(); }
  [[nodiscard]] std::size_t size() const { return used_.size(); }
  [[nodiscard]] T& operator[](std::size_t i) { return used_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return used_[i]; }
  [[nodiscard]] std::span<const T> Things() const { return used_; }
  [[nodiscard]] T& back() { return used_.back(); }
  auto begin() { return used_.begin(); }
  auto end() { return used_.end(); }
  auto begin() const { return Things().begin(); }
  auto end() const { return Things().end(); }

 private:
  void Resize(std::size_t size) { used_ = room_.first(size); }

  std::vector<T> things_;
  std::span<T> room_;  // the whole capacity
  std::span<T> used_;  // the used front of room_
};

}  // namespace ggufgate::mutate
