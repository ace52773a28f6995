#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "remote/fetch_wire.h"

namespace ggufgate {

// RemoteFile is one file as the process that fetches gives it, which nothing of is believed: it
// gives as many bytes as were asked for, of a file whose size stays, or there is a problem, from
// then on. One thread.
class RemoteFile {
 public:
  // `socket` leads to that process, which knows the file by its number; both outlive it. The end
  // tells it that this judge is done with the file.
  RemoteFile(int socket, std::uint32_t number) : socket_(socket), number_(number) {}
  RemoteFile(const RemoteFile&) = delete;
  RemoteFile& operator=(const RemoteFile&) = delete;
  ~RemoteFile();

  // Open learns how long the file is, and takes its first bytes along: as many as asked for, or
  // all.
  [[nodiscard]] absl::StatusOr<std::vector<std::uint8_t>> Open(std::uint64_t first_bytes);

  // Read fills `out` with the bytes from `offset`. Only once it is open.
  [[nodiscard]] absl::Status Read(std::uint64_t offset, MutableBytes out);

  // StartStream has all of the file come, instead of Open(); it is open then. TakeStream gives the
  // next bytes, at most as many as `out` has room for; 0 when all have come.
  [[nodiscard]] absl::Status StartStream();
  [[nodiscard]] absl::StatusOr<std::size_t> TakeStream(MutableBytes out);

  [[nodiscard]] const RemoteFacts& facts() const { return facts_; }
  [[nodiscard]] const absl::Status& problem() const { return problem_; }
  // False when a part of an answer is still to come, for nobody: the socket is of no use then.
  [[nodiscard]] bool at_rest() const { return !awaits_; }

 private:
  absl::Status Fail(absl::Status why);
  [[nodiscard]] absl::Status Ask(FetchRequest::Kind kind, std::uint64_t begin, std::uint64_t size);
  [[nodiscard]] absl::StatusOr<FetchAnswer> Next();
  [[nodiscard]] absl::Status TakeFacts();
  // Collect takes data and the facts behind them; `take` gets the data.
  [[nodiscard]] absl::Status Collect(const std::function<bool(Bytes)>& take);

  int socket_;
  std::uint32_t number_;
  bool open_ = false;
  RemoteFacts facts_;
  absl::Status problem_;
  std::vector<std::uint8_t> answer_;
  std::size_t taken_ = 0;          // of the answer, while it streams
  std::uint64_t stream_left_ = 0;  // bytes that must still come
  bool streams_ = false;
  bool awaits_ = false;  // more of an answer
};

}  // namespace ggufgate
