#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "remote/fetch_wire.h"

namespace ggufgate {

// RemoteFile reads one file through the fetching process, and does not trust that process. It makes
// sure that each answer has the requested number of bytes, and that the size of the file stays the
// same. After the first violation, all calls fail. It must be used in one thread.
class RemoteFile {
 public:
  // `socket` leads to the fetching process, which knows the file by its number; both must outlive
  // this object. The destructor tells the process that this file is done.
  RemoteFile(int socket, std::uint32_t number) : socket_(socket), number_(number) {}
  RemoteFile(const RemoteFile&) = delete;
  RemoteFile& operator=(const RemoteFile&) = delete;
  ~RemoteFile();

  // Open gets the size of the file and returns its first bytes: `first_bytes` of them, or all.
  [[nodiscard]] absl::StatusOr<std::vector<std::uint8_t>> Open(std::uint64_t first_bytes);

  // Read fills `out` with the bytes from `offset`. The file must be open.
  [[nodiscard]] absl::Status Read(std::uint64_t offset, MutableBytes out);

  // StartStream requests the whole file, instead of Open(). TakeStream returns the next bytes in
  // `out` and their number; 0 at the end.
  [[nodiscard]] absl::Status StartStream();
  [[nodiscard]] absl::StatusOr<std::size_t> TakeStream(MutableBytes out);

  [[nodiscard]] const RemoteFacts& facts() const { return facts_; }
  [[nodiscard]] const absl::Status& problem() const { return problem_; }
  // False if a part of an answer is still to come: then the socket cannot be used again.
  [[nodiscard]] bool at_rest() const { return !awaits_; }

 private:
  absl::Status Fail(absl::Status why);
  [[nodiscard]] absl::Status Ask(FetchRequest::Kind kind, std::uint64_t begin, std::uint64_t size);
  [[nodiscard]] absl::StatusOr<FetchAnswer> Next();
  [[nodiscard]] absl::Status TakeFacts();
  // Collect passes the data of an answer to `take`, and reads the facts that follow.
  [[nodiscard]] absl::Status Collect(const std::function<bool(Bytes)>& take);

  int socket_;
  std::uint32_t number_;
  bool open_ = false;
  RemoteFacts facts_;
  absl::Status problem_;
  std::vector<std::uint8_t> answer_;
  std::size_t taken_ = 0;          // bytes of answer_ already taken by TakeStream()
  std::uint64_t stream_left_ = 0;  // bytes of the file that must still come
  bool streams_ = false;
  bool awaits_ = false;  // a part of the answer is still to come
};

}  // namespace ggufgate
