#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include "gate/reading/descriptor.h"

namespace ggufgate::testing {

// Pipe is a pipe whose other end delivers a text, at most `piece` bytes at a time, and then ends.
class Pipe {
 public:
  explicit Pipe(std::string text, std::size_t piece = SIZE_MAX) : text_(std::move(text)) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    reading_ = Descriptor(ends[0]);
    writer_ = std::jthread([this, piece, out = Descriptor(ends[1])] {
      for (std::size_t at = 0; at < text_.size();) {
        const ssize_t put =
            ::write(out.get(), text_.data() + at, std::min(piece, text_.size() - at));
        if (put <= 0) return;
        at += static_cast<std::size_t>(put);
      }
    });
  }
  ~Pipe() {
    std::array<char, 65'536> rest;
    while (::read(reading_.get(), rest.data(), rest.size()) > 0) {
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int get() const { return reading_.get(); }

 private:
  std::string text_;
  Descriptor reading_;
  std::jthread writer_;
};

}  // namespace ggufgate::testing
