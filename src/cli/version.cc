#include "cli/version.h"

#include "absl/strings/str_cat.h"
#include "format/contracts/contract.h"
#include "gate/confine/confine.h"

namespace ggufgate {
namespace {

// kCommit is the commit of the sources at configuration time (packaging/commit.cmake).
constexpr std::string_view kCommit = GGUFGATE_COMMIT;

constexpr std::string_view kCompiler =
#if defined(__clang__)
    "Clang " __clang_version__;
#elif defined(__GNUC__)
    "GCC " __VERSION__;
#else
    "unknown";
#endif

constexpr std::string_view kProcessor =
#if defined(__x86_64__)
    "x86-64";
#elif defined(__aarch64__)
    "arm64";
#else
    "another processor";
#endif

}  // namespace

std::string VersionText() {
  return absl::StrCat("ggufgate " GGUFGATE_VERSION "\ncommit       ", std::string(kCommit),
                      "\ncompiler     ", std::string(kCompiler), ", ", std::string(kProcessor),
                      "\ncontracts    ", std::string(kContractRelease), "\nconfinement  ",
                      AvailableConfinement());
}

}  // namespace ggufgate
