#include "gate/reading/recorded_source.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/random.h>

#include <algorithm>
#include <list>
#include <new>
#include <tuple>
#include <utility>

#include "gate/reading/digest.h"
#include "gate/reading/read_document.h"

namespace ggufgate {
namespace {

EVP_MAC_CTX* Poly1305(void* context) { return static_cast<EVP_MAC_CTX*>(context); }

}  // namespace

void RecordedSource::Free::operator()(void* context) const { EVP_MAC_CTX_free(Poly1305(context)); }

absl::StatusOr<std::unique_ptr<RecordedSource>> RecordedSource::Begin(const ByteSource& source) {
  // The library's configuration file has no say here, and a confined process could not read it.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  std::array<std::uint8_t, 32> key{};
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    return absl::InternalError("there is no randomness");
  }
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> algorithm(
      EVP_MAC_fetch(nullptr, "POLY1305", nullptr), &EVP_MAC_free);
  Context keyed(algorithm == nullptr ? nullptr : EVP_MAC_CTX_new(algorithm.get()));
  const bool ready =
      keyed != nullptr && EVP_MAC_init(Poly1305(keyed.get()), key.data(), key.size(), nullptr) == 1;
  OPENSSL_cleanse(key.data(), key.size());
  if (!ready) return absl::InternalError("Poly1305 is not available");
  return std::unique_ptr<RecordedSource>(new RecordedSource(source, std::move(keyed)));
}

RecordedSource::Context RecordedSource::NewCode() const {
  Context code(EVP_MAC_CTX_dup(Poly1305(keyed_.get())));
  if (code == nullptr) throw std::bad_alloc();
  return code;
}

// Computing fails on no bytes, once there is a context.
void RecordedSource::Add(const Context& context, Bytes bytes) {
  if (EVP_MAC_update(Poly1305(context.get()), bytes.data(), bytes.size()) != 1) {
    throw std::bad_alloc();
  }
}

RecordedSource::Code RecordedSource::Finish(const Context& context) {
  Code code{};
  std::size_t size = 0;
  if (EVP_MAC_final(Poly1305(context.get()), code.data(), &size, code.size()) != 1 ||
      size != code.size()) {
    throw std::bad_alloc();
  }
  return code;
}

ReadOutcome RecordedSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  const ReadOutcome outcome = source_.ReadAt(offset, out);
  if (!outcome.complete() || out.empty()) return outcome;
  const Context context = NewCode();
  Add(context, out);
  const Record record{.range = {.begin = offset, .size = out.size()}, .code = Finish(context)};
  const std::scoped_lock lock(mutex_);
  records_.push_back(record);
  return outcome;
}

// Comparison is told of all bytes in order, and computes the code of each record again.
class RecordedSource::Comparison {
 public:
  explicit Comparison(const RecordedSource& source) : source_(source) {
    const std::scoped_lock lock(source.mutex_);
    std::ranges::sort(source.records_, {}, [](const Record& record) {
      return std::tuple(record.range.begin, record.range.size);
    });
    next_ = source.records_.begin();
  }

  // False when a record that ends here has another code.
  [[nodiscard]] bool Take(std::uint64_t offset, Bytes bytes) {
    const ByteRange here{.begin = offset, .size = bytes.size()};
    for (; next_ != source_.records_.end() && next_->range.begin < here.End(); ++next_) {
      open_.push_back({.record = &*next_, .context = source_.NewCode()});
    }
    for (auto open = open_.begin(); open != open_.end();) {
      const ByteRange range = open->record->range;
      const std::uint64_t from = std::max(range.begin, here.begin);
      const std::uint64_t to = std::min(range.End(), here.End());
      Add(open->context, bytes.subspan(from - here.begin, to - from));
      if (to < range.End()) {
        ++open;
        continue;
      }
      if (Finish(open->context) != open->record->code) return false;
      open = open_.erase(open);
    }
    return true;
  }

 private:
  struct Open {
    const Record* record;
    Context context;
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
