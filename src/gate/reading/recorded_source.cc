#include "gate/reading/recorded_source.h"

#include <string.h>
#include <sys/random.h>

#include <algorithm>
#include <list>
#include <tuple>
#include <utility>

#include "gate/reading/digest.h"
#include "gate/reading/read_document.h"

namespace ggufgate {

RecordedSource::RecordedSource(const ByteSource& source) : source_(source) {}

RecordedSource::~RecordedSource() { ::explicit_bzero(key_.data(), sizeof(key_)); }

absl::StatusOr<std::unique_ptr<RecordedSource>> RecordedSource::Begin(const ByteSource& source) {
  std::unique_ptr<RecordedSource> recorded(new RecordedSource(source));
  KeyedCode::Key& key = recorded->key_;
  if (::getrandom(key.data(), sizeof(key), 0) != static_cast<ssize_t>(sizeof(key))) {
    return absl::InternalError("no random bytes are available");
  }
  return recorded;
}

ReadOutcome RecordedSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  const ReadOutcome outcome = source_.ReadAt(offset, out);
  if (!outcome.complete() || out.empty()) return outcome;
  KeyedCode code(key_);
  code.Add(out);
  const Record record{.range = {.begin = offset, .size = out.size()}, .code = code.Finish()};
  const std::scoped_lock lock(mutex_);
  records_.push_back(record);
  return outcome;
}

// Comparison gets all bytes in order, and computes the code of each record again.
class RecordedSource::Comparison {
 public:
  explicit Comparison(const RecordedSource& source) : source_(source) {
    const std::scoped_lock lock(source.mutex_);
    std::ranges::sort(source.records_, {}, [](const Record& record) {
      return std::tuple(record.range.begin, record.range.size);
    });
    next_ = source.records_.begin();
  }

  // Take returns false if a record that ends in these bytes has another code.
  [[nodiscard]] bool Take(std::uint64_t offset, Bytes bytes) {
    const ByteRange here{.begin = offset, .size = bytes.size()};
    for (; next_ != source_.records_.end() && next_->range.begin < here.End(); ++next_) {
      open_.push_back({.record = &*next_, .code = KeyedCode(source_.key_)});
    }
    for (auto open = open_.begin(); open != open_.end();) {
      const ByteRange range = open->record->range;
      const std::uint64_t from = std::max(range.begin, here.begin);
      const std::uint64_t to = std::min(range.End(), here.End());
      open->code.Add(bytes.subspan(from - here.begin, to - from));
      if (to < range.End()) {
        ++open;
        continue;
      }
      if (open->code.Finish() != open->record->code) return false;
      open = open_.erase(open);
    }
    return true;
  }

 private:
  struct Open {
    const Record* record;
    KeyedCode code;
  };
  const RecordedSource& source_;
  std::vector<Record>::const_iterator next_;
  std::list<Open> open_;
};

absl::StatusOr<std::string> RecordedSource::Sha256() const {
  absl::StatusOr<ggufgate::Sha256> digest = ggufgate::Sha256::Begin();
  if (!digest.ok()) return digest.status();
  Comparison comparison(*this);
  std::vector<std::uint8_t> chunk(std::min(kDigestChunkBytes, size()));
  for (std::uint64_t offset = 0; offset < size(); offset += chunk.size()) {
    const MutableBytes bytes =
        MutableBytes(chunk).first(std::min<std::uint64_t>(chunk.size(), size() - offset));
    const ReadOutcome outcome = source_.ReadAt(offset, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    if (absl::Status added = digest->Add(bytes); !added.ok()) return added;
    if (!comparison.Take(offset, bytes)) {
      return absl::AbortedError("the file changed while it was read");
    }
  }
  return digest->Finish();
}

}  // namespace ggufgate
