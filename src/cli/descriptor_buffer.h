#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace ggufgate {

// DescriptorBuffer is a stream buffer that writes to a file descriptor, which must outlive it. Its
// only system call is write(), so it works in a confined process. It does not copy large texts.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {}

  // The errno of the first error, or 0.
  [[nodiscard]] int error_number() const { return error_number_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool WriteOut();
  bool Put(std::string_view text);

  int descriptor_;
  int error_number_ = 0;
  std::string waiting_;
};

}  // namespace ggufgate
