// Files of the C interface. Each is opened after it has been checked.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "api/c/judging.h"
#include "api/c/options.h"
#include "api/c/reader_source.h"
#include "bytes/memory_source.h"

using namespace ggufgate;

namespace {

// FrontSource returns the first bytes of a source as they were read once. So the check uses the
// same bytes as the document, even if the file changes.
class FrontSource final : public ByteSource {
 public:
  FrontSource(Bytes front, const ByteSource& all) : front_(front), all_(all) {}

  [[nodiscard]] std::uint64_t size() const override { return all_.size(); }

  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size())) {
      return {.kind = ReadOutcome::Kind::kShrunk};
    }
    if (offset < front_.size()) {
      const Bytes held = front_.subspan(offset);
      const std::size_t some = std::min(held.size(), out.size());
      std::ranges::copy(held.first(some), out.begin());
      offset += some;
      out = out.subspan(some);
    }
    return out.empty() ? ReadOutcome() : all_.ReadAt(offset, out);
  }

  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    return offset < front_.size() ? offset : all_.NextData(offset);
  }

  [[nodiscard]] bool far_away() const override { return all_.far_away(); }

 private:
  Bytes front_;
  const ByteSource& all_;
};

// Opened holds a file that was read, and its verdict. There is no document if the file could not be
// read.
struct Opened {
  FileReport report;
  std::optional<ReadDocument> document;
};

template <typename Judge>
Opened Open(const ByteSource& source, const api::Wanted& wanted, const Judge& judge) {
  absl::StatusOr<ReadDocument> read = ReadDocument::Read(source, wanted.judge.policy.limits);
  if (!read.ok()) return {api::UndecidedReport(wanted, read.status()), std::nullopt};
  FileReport report = judge(FrontSource(read->document().prefix, source));
  return {std::move(report), *std::move(read)};
}

bool MayBeRead(const Opened& opened, const api::Wanted& wanted) {
  if (!opened.document || opened.report.verdict == Verdict::kUndecided) return false;
  return opened.report.verdict == Verdict::kAccept || wanted.open_rejected;
}

// Give returns the report, if requested. It returns the file if `make` can make one.
template <typename Make>
ggufgate_status Give(Opened opened, const api::Wanted& wanted, ggufgate_report** report,
                     ggufgate_file** file, const Make& make) {
  std::unique_ptr<ggufgate_file> made;
  if (MayBeRead(opened, wanted)) made = make(*std::move(opened.document));
  if (report != nullptr) {
    *report = new ggufgate_report(std::move(opened.report), wanted.judge.policy);
  }
  if (made == nullptr) return GGUFGATE_STATUS_NOT_ACCEPTED;
  return api::Give(std::move(made), file);
}

ggufgate_status OpenInput(absl::StatusOr<Input> input, const api::Wanted& wanted,
                          ggufgate_report** report, ggufgate_file** file) {
  Opened opened;
  if (input.ok()) {
    opened = Open(input->source(), wanted, [&](const FrontSource& source) {
      return api::JudgeOpened(*input, source, wanted);
    });
  } else {
    opened.report = api::UndecidedReport(wanted, input.status());
  }
  return Give(std::move(opened), wanted, report, file, [&](ReadDocument document) {
    return std::make_unique<ggufgate_file>(std::move(document), *std::move(input), nullptr,
                                           Bytes());
  });
}

// OpenOfCaller opens a file of the caller: in `memory`, or through a reader.
ggufgate_status OpenOfCaller(std::unique_ptr<const ByteSource> source, Bytes memory,
                             const ggufgate_options* options, ggufgate_report** report,
                             ggufgate_file** file) {
  const std::optional<api::Wanted> wanted = api::WantedBy(options, nullptr);
  if (!wanted) return GGUFGATE_STATUS_BAD_ARGUMENT;
  Opened opened = Open(*source, *wanted, [&](const FrontSource& front) {
    return api::JudgeTogether(front, *wanted);
  });
  return Give(std::move(opened), *wanted, report, file, [&](ReadDocument document) {
    return std::make_unique<ggufgate_file>(std::move(document), std::nullopt, std::move(source),
                                           memory);
  });
}

// Prepared tells whether the outputs can be filled. It clears them.
bool Prepared(ggufgate_report** report, ggufgate_file** file) {
  if (report != nullptr) *report = nullptr;
  if (file == nullptr) return false;
  *file = nullptr;
  return true;
}

}  // namespace

ggufgate_status ggufgate_open_path(const char* path, const ggufgate_options* options,
                                   ggufgate_report** report, ggufgate_file** file) noexcept {
  if (!Prepared(report, file) || path == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&]() -> ggufgate_status {
    const std::optional<api::Wanted> wanted = api::WantedBy(options, path);
    if (!wanted) return GGUFGATE_STATUS_BAD_ARGUMENT;
    return OpenInput(Input::Open(path), *wanted, report, file);
  });
}

ggufgate_status ggufgate_open_descriptor(int descriptor, const ggufgate_options* options,
                                         ggufgate_report** report, ggufgate_file** file) noexcept {
  if (!Prepared(report, file)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&]() -> ggufgate_status {
    const std::optional<api::Wanted> wanted = api::WantedBy(options, nullptr);
    if (!wanted) return GGUFGATE_STATUS_BAD_ARGUMENT;
    return OpenInput(Input::Spool(descriptor, wanted->judge.most_spooled), *wanted, report, file);
  });
}

ggufgate_status ggufgate_open_memory(const void* bytes, size_t size,
                                     const ggufgate_options* options, ggufgate_report** report,
                                     ggufgate_file** file) noexcept {
  if (!Prepared(report, file) || !api::IsMemory(bytes, size)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&] {
    const Bytes memory = api::BytesOf(bytes, size);
    return OpenOfCaller(std::make_unique<MemorySource>(memory), memory, options, report, file);
  });
}

ggufgate_status ggufgate_open_reader(const ggufgate_reader* reader, const ggufgate_options* options,
                                     ggufgate_report** report, ggufgate_file** file) noexcept {
  if (!Prepared(report, file) || !api::IsReader(reader)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&] {
    return OpenOfCaller(std::make_unique<api::ReaderSource>(*reader), Bytes(), options, report,
                        file);
  });
}

void ggufgate_file_free(ggufgate_file* file) noexcept { delete file; }
