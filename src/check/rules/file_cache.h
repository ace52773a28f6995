#pragma once

// What rules find out about a file and other rules ask for again. Not for users of the library.

#include <memory>
#include <vector>

#include "bytes/byte_source.h"
#include "parse/document.h"

namespace ggufgate {

// FileCache keeps what is known of one file while its rules run. Each thing is made when the first
// rule asks for it, and is there, unchanged and at the same place, until the cache ends:
//
//   const Vocabulary& VocabularyOf(const Context& context) {
//     return context.cache.Get<Vocabulary>([&] { return Find(context.document); });
//   }
//
// The type is the name of the thing: what nobody else may ask for has a type that nobody else sees.
// What is made must depend on nothing but the file and the policy. Making one may ask for others,
// but not for itself. One thread only: rules run one after the other.
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

  // View shows a range of the file: from the prefix where it holds it, else read into `scratch`,
  // which is at least as large. Empty when the read fails, or when one before it has.
  [[nodiscard]] Bytes View(ByteRange range, MutableBytes scratch) const;

  // The first read that failed, of the source or one that was told of: then the verdict is
  // undecided, whatever was found.
  [[nodiscard]] const ReadOutcome& io() const { return io_; }
  void Note(const ReadOutcome& outcome) {
    if (io_.complete()) io_ = outcome;
  }

 private:
  // One object for each type; its address is the type's name.
  template <typename T>
  static constexpr char kName = 0;

  struct Thing {
    const void* name;
    std::shared_ptr<const void> value;
  };

  const Document& document_;
  const ByteSource& source_;
  // Rules see the cache as const: what they ask for is the same whether it was made before or not.
  mutable std::vector<Thing> things_;
  mutable ReadOutcome io_;
};

}  // namespace ggufgate
