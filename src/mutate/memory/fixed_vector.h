#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ggufgate::mutate {

// FixedVector is a list with a capacity that is fixed and allocated at construction. Add and Insert
// return false when it is full.
template <typename T>
class FixedVector {
 public:
  explicit FixedVector(std::size_t room) { things_.reserve(room); }
  FixedVector(FixedVector&&) = default;
  FixedVector& operator=(FixedVector&&) = default;
  FixedVector(const FixedVector&) = delete;  // a copy would have less room
  FixedVector& operator=(const FixedVector&) = delete;

  [[nodiscard]] bool Full() const { return things_.size() == things_.capacity(); }
  bool Add(const T& thing) {
    if (Full()) return false;
    things_.push_back(thing);
    return true;
  }
  bool Insert(std::size_t at, const T& thing) {
    if (Full()) return false;
    things_.insert(things_.begin() + static_cast<std::ptrdiff_t>(at), thing);
    return true;
  }
  void Remove(std::size_t at) { things_.erase(things_.begin() + static_cast<std::ptrdiff_t>(at)); }
  // Keep takes away all that `wanted` is not true of. Order stays.
  template <typename Wanted>
  void Keep(Wanted wanted) {
    std::erase_if(things_, [&](T& thing) { return !wanted(thing); });
  }
  void Cut(std::size_t size) {
    if (size < things_.size()) {
      things_.erase(things_.begin() + static_cast<std::ptrdiff_t>(size), things_.end());
    }
  }
  void Clear() { things_.clear(); }

  [[nodiscard]] bool empty() const { return things_.empty(); }
  [[nodiscard]] std::size_t size() const { return things_.size(); }
  [[nodiscard]] T& operator[](std::size_t i) { return things_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return things_[i]; }
  [[nodiscard]] std::span<const T> Things() const { return things_; }
  [[nodiscard]] T& back() { return things_.back(); }
  auto begin() { return things_.begin(); }
  auto end() { return things_.end(); }
  auto begin() const { return things_.begin(); }
  auto end() const { return things_.end(); }

 private:
  std::vector<T> things_;
};

}  // namespace ggufgate::mutate
