// check-file SOUND BROKEN: the gate must accept the first file and reject the second, by path, by
// descriptor and in memory.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "ggufgate/gate.h"

#if __has_include("gate/judge.h") || __has_include("bytes/bytes.h")
#error "headers that are not public are in the way of the compiler"
#endif

namespace gate = ggufgate::gate;

namespace {

bool Says(gate::Verdict verdict, const gate::Report& report) {
  for (const gate::Finding& finding : report.findings) {
    std::printf("%llu %s: %s\n", static_cast<unsigned long long>(finding.offset),
                finding.rule.c_str(), finding.message.c_str());
  }
  return report.verdict == verdict &&
         (verdict != gate::Verdict::kReject || !report.findings.empty());
}

bool SaysEachWay(gate::Verdict verdict, const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(stream), {}};
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool all =
      Says(verdict, gate::CheckPath(path)) && Says(verdict, gate::CheckDescriptor(descriptor)) &&
      Says(verdict,
           gate::CheckMemory(std::as_bytes(std::span(file)), {.tensors = gate::Tensors::kFull}));
  ::close(descriptor);
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const bool right = SaysEachWay(gate::Verdict::kAccept, arguments[1]) &&
                     SaysEachWay(gate::Verdict::kReject, arguments[2]) &&
                     gate::CheckPath("no such file").verdict == gate::Verdict::kUndecided;
  return right ? 0 : 1;
}
