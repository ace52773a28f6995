#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// Paint adds terminal colours to words. If it is off, it returns them unchanged.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  [[nodiscard]] std::string Good(std::string_view text) const { return Wrap("32", text); }
  [[nodiscard]] std::string Bad(std::string_view text) const { return Wrap("1;31", text); }
  [[nodiscard]] std::string Doubtful(std::string_view text) const { return Wrap("33", text); }
  [[nodiscard]] std::string Quiet(std::string_view text) const { return Wrap("2", text); }
  [[nodiscard]] std::string Strong(std::string_view text) const { return Wrap("1", text); }

 private:
  [[nodiscard]] std::string Wrap(std::string_view code, std::string_view text) const {
    if (!on_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

  bool on_;
};

}  // namespace ggufgate
