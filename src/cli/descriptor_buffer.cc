#include "cli/descriptor_buffer.h"

#include <unistd.h>

#include <cerrno>

namespace ggufgate {

std::streamsize DescriptorBuffer::xsputn(const char* text, std::streamsize size) {
  constexpr std::size_t kMostWaiting = std::size_t{64} << 10;
  const std::string_view added(text, static_cast<std::size_t>(size));
  if (added.size() >= kMostWaiting) return WriteOut() && Put(added) ? size : 0;
  waiting_ += added;
  return waiting_.size() < kMostWaiting || WriteOut() ? size : 0;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char text = traits_type::to_char_type(c);
  return xsputn(&text, 1) == 1 ? c : traits_type::eof();
}

int DescriptorBuffer::sync() { return WriteOut() ? 0 : -1; }

bool DescriptorBuffer::WriteOut() {
  const bool put = Put(waiting_);
  waiting_.clear();
  return put;
}

bool DescriptorBuffer::Put(std::string_view left) {
  while (!left.empty() && error_number_ == 0) {
    const ssize_t put = ::write(descriptor_, left.data(), left.size());
    if (put >= 0) {
      left.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno != EINTR) {
      error_number_ = errno;
    }
  }
  return error_number_ == 0;
}

}  // namespace ggufgate
