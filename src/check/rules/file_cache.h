#pragma once

// Caches facts about a file that several rules need. Not for users of the library.

#include <memory>
#include <vector>

#include "bytes/byte_source.h"
#include "parse/document.h"

namespace ggufgate {

// FileCache keeps the facts about one file while its rules run. Each fact is computed when the
// first rule asks for it. It stays unchanged at the same address until the cache is destroyed:
//
//   const Vocabulary& VocabularyOf(const Context& context) {
//     return context.cache.Get<Vocabulary>([&] { return Find(context.document); });
//   }
//
// The type is the key of the fact. For a private fact, use a private type. A fact must depend only
// on the file and the policy. Its computation may ask for other facts, but not for itself. Use a
// cache in one thread only: rules run one after the other.
class FileCache {
 public:
  FileCache(const Document& document, const ByteSource& source)
      : document_(document), source_(source) {}

  template <typename T, typename Make>
  [[nodiscard]] const T& Get(Make make) const {
    for (const Thing& thing : things_) {
      if (thing.name == &kName<T>) return *static_cast<const T*>(thing.value.get());
    }
    auto value = std::make_shared<const T>(make());
    const T& made = *value;
    things_.push_back({&kName<T>, std::move(value)});
    return made;
  }

  // View returns a range of the file: from the prefix if it contains the range, otherwise read into
  // `scratch`, which must be large enough. Empty if the read fails, or if an earlier read failed.
  [[nodiscard]] Bytes View(ByteRange range, MutableBytes scratch) const;

  // The first failed read, of the source or passed to Note(). Then the file is undecided despite
  // any findings.
  [[nodiscard]] const ReadOutcome& io() const { return io_; }
  void Note(const ReadOutcome& outcome) {
    if (io_.complete()) io_ = outcome;
  }

 private:
  // One object per type; its address is the key of the type.
  template <typename T>
  static constexpr char kName = 0;

  struct Thing {
    const void* name;
    std::shared_ptr<const void> value;
  };

  const Document& document_;
  const ByteSource& source_;
  // Rules get a const cache: the value of a fact does not depend on when it is computed.
  mutable std::vector<Thing> things_;
  mutable ReadOutcome io_;
};

}  // namespace ggufgate
