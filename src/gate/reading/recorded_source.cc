#include "gate/reading/recorded_source.h"

// As in digest.cc: not by way of all algorithms there are.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/crypto.h>
#include <openssl/modes.h>
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

GCM128_CONTEXT* Gmac(void* context) { return static_cast<GCM128_CONTEXT*>(context); }

void Encrypt(const unsigned char* in, unsigned char* out, const void* key) {
  AES_encrypt(in, out, static_cast<const AES_KEY*>(key));
}

}  // namespace

struct RecordedSource::Key {
  AES_KEY aes;
  Key() = default;
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  ~Key() { OPENSSL_cleanse(&aes, sizeof(aes)); }
};

void RecordedSource::Free::operator()(void* context) const { CRYPTO_gcm128_release(Gmac(context)); }

RecordedSource::RecordedSource(const ByteSource& source, std::unique_ptr<const Key> key)
    : source_(source), key_(std::move(key)) {}

RecordedSource::~RecordedSource() = default;

absl::StatusOr<std::unique_ptr<RecordedSource>> RecordedSource::Begin(const ByteSource& source) {
  std::array<std::uint8_t, 32> drawn{};
  if (::getrandom(drawn.data(), drawn.size(), 0) != static_cast<ssize_t>(drawn.size())) {
    return absl::InternalError("no random bytes are available");
  }
  auto key = std::make_unique<Key>();
  constexpr int kBitsOfAByte = 8;
  const bool ready =
      AES_set_encrypt_key(drawn.data(), kBitsOfAByte * static_cast<int>(drawn.size()), &key->aes) ==
      0;
  OPENSSL_cleanse(drawn.data(), drawn.size());
  if (!ready) return absl::InternalError("AES is not available");
  return std::unique_ptr<RecordedSource>(new RecordedSource(source, std::move(key)));
}

RecordedSource::Context RecordedSource::NewCode() const {
  // The key is only read; C has no other type for it.
  Context code(CRYPTO_gcm128_new(const_cast<AES_KEY*>(&key_->aes), &Encrypt));  // NOLINT
  if (code == nullptr) throw std::bad_alloc();
  constexpr std::array<std::uint8_t, 12> kNonce{};
  CRYPTO_gcm128_setiv(Gmac(code.get()), kNonce.data(), kNonce.size());
  return code;
}

// It fails beyond 2^61 bytes, which no file has.
void RecordedSource::Add(const Context& context, Bytes bytes) {
  if (CRYPTO_gcm128_aad(Gmac(context.get()), bytes.data(), bytes.size()) != 0) {
    throw std::bad_alloc();
  }
}

RecordedSource::Code RecordedSource::Finish(const Context& context) {
  Code code{};
  CRYPTO_gcm128_tag(Gmac(context.get()), code.data(), code.size());
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
