// planted-faults reads its first argument and says "ok". Its second argument names a bug that the
// driver must find; "sound" means none.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int Fail(const std::string& bug, const char* why) {
  if (bug == "abort") std::abort();
  if (bug == "mute") return 2;
  if (bug == "leave") ::close(::open("left", O_CREAT | O_WRONLY, 0666));
  if (bug == "hang") {
    while (true) ::usleep(1000);
  }
  if (bug == "other-code") return 3;
  if (bug == "swallow") {
    std::puts("ok");
    return 0;
  }
  std::fprintf(stderr, "%s\n", why);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  ::fcntl(STDIN_FILENO, F_GETFD);  // the tracer counts from here on
  if (count != 3) return 2;
  const std::string bug = words[2];
  const int file = ::open(words[1], O_RDONLY);
  if (file < 0) return Fail(bug, "cannot open");
  char some[16];
  ssize_t got = 0;
  do {
    got = ::read(file, &some[0], sizeof(some));
  } while (got < 0 && errno == EINTR);
  if (got < 0) return Fail(bug, "cannot read");
  if (got == 0) return Fail(bug, "too short");
  if (bug == "short" && got < ssize_t{sizeof(some)})
    some[0] = 'x';  // mistakes a short read for a file
  std::puts(bug == "short" && some[0] == 'x' ? "ok, but another file" : "ok");
  return std::fflush(stdout) == 0 ? 0 : Fail(bug, "cannot write");
}
