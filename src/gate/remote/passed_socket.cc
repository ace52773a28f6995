#include "gate/remote/passed_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace ggufgate {
namespace {

// One message with room for one descriptor.
struct Message {
  std::array<char, 1> byte{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec data{.iov_base = byte.data(), .iov_len = byte.size()};
  msghdr head{};

  Message() {
    head.msg_iov = &data;
    head.msg_iovlen = 1;
    head.msg_control = control.data();
    head.msg_controllen = control.size();
  }
};

}  // namespace

absl::Status SendSocket(int control, int socket) {
  Message message;
  cmsghdr* const item = CMSG_FIRSTHDR(&message.head);
  item->cmsg_level = SOL_SOCKET;
  item->cmsg_type = SCM_RIGHTS;
  item->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(item), &socket, sizeof(socket));
  while (::sendmsg(control, &message.head, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return absl::ErrnoToStatus(errno, "cannot reach ggufgate-fetch");
  }
  return absl::OkStatus();
}

std::optional<Descriptor> ReceiveSocket(int control) {
  Message message;
  ssize_t got = 0;
  while ((got = ::recvmsg(control, &message.head, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  cmsghdr* const item = CMSG_FIRSTHDR(&message.head);
  if (got != 1 || item == nullptr || item->cmsg_type != SCM_RIGHTS) return std::nullopt;
  int socket = -1;
  std::memcpy(&socket, CMSG_DATA(item), sizeof(socket));
  return Descriptor(socket);
}

}  // namespace ggufgate
