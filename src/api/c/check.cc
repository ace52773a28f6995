// Checks of the C interface.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "api/c/judging.h"
#include "api/c/options.h"
#include "api/c/reader_source.h"
#include "bytes/memory_source.h"
#include "gate/confine/confine.h"
#include "gate/judge.h"

using namespace ggufgate;

namespace {

// Checked returns the report of `judge` for the given options.
template <typename Judge>
ggufgate_status Checked(const ggufgate_options* options, const char* name, ggufgate_report** report,
                        const Judge& judge) {
  return api::Guarded([&]() -> ggufgate_status {
    const std::optional<api::Wanted> wanted = api::WantedBy(options, name);
    if (!wanted) return GGUFGATE_STATUS_BAD_ARGUMENT;
    return api::Give(std::make_unique<ggufgate_report>(judge(*wanted), wanted->judge.policy),
                     report);
  });
}

FileReport JudgedInput(const absl::StatusOr<Input>& input, const api::Wanted& wanted) {
  if (!input.ok()) return api::UndecidedReport(wanted, input.status());
  return api::JudgeOpened(*input, input->source(), wanted);
}

}  // namespace

ggufgate_status ggufgate_check_path(const char* path, const ggufgate_options* options,
                                    ggufgate_report** report) noexcept {
  if (report == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *report = nullptr;
  if (path == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return Checked(options, path, report,
                 [&](const api::Wanted& wanted) { return JudgedInput(Input::Open(path), wanted); });
}

ggufgate_status ggufgate_check_descriptor(int descriptor, const ggufgate_options* options,
                                          ggufgate_report** report) noexcept {
  if (report == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *report = nullptr;
  return Checked(options, nullptr, report, [&](const api::Wanted& wanted) {
    return api::JudgeTogether(wanted, [&](const JudgeOptions& judging) {
      return JudgeDescriptor(descriptor, wanted.name, judging);
    });
  });
}

ggufgate_status ggufgate_check_memory(const void* bytes, size_t size,
                                      const ggufgate_options* options,
                                      ggufgate_report** report) noexcept {
  if (report == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *report = nullptr;
  if (!api::IsMemory(bytes, size)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return Checked(options, nullptr, report, [&](const api::Wanted& wanted) {
    return api::JudgeTogether(MemorySource(api::BytesOf(bytes, size)), wanted);
  });
}

ggufgate_status ggufgate_check_reader(const ggufgate_reader* reader,
                                      const ggufgate_options* options,
                                      ggufgate_report** report) noexcept {
  if (report == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *report = nullptr;
  if (!api::IsReader(reader)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return Checked(options, nullptr, report, [&](const api::Wanted& wanted) {
    return api::JudgeTogether(api::ReaderSource(*reader), wanted);
  });
}

ggufgate_status ggufgate_check_confined(const char* path, const ggufgate_options* options,
                                        ggufgate_report** report) noexcept {
  if (report == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *report = nullptr;
  if (path == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  if (!ConfinementIsBuiltIn()) return GGUFGATE_STATUS_UNSUPPORTED;
  return Checked(options, path, report,
                 [&](const api::Wanted& wanted) { return api::JudgeConfined(path, wanted); });
}
