#pragma once

// Caches facts about a file that several rules need. Not for users of the library.

#include <memory>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"
#include "format/contracts/contract_table.h"
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
// on the file, the policy and Contracts(). Its computation may ask for other facts, but not for
// itself. Use a cache in one thread only: rules run one after the other.
//
// A policy may name several loaders. Then the rules that asked for contracts run once for each.
// The cache notes who asked, and drops the facts that depend on contracts before the next loader.
class FileCache {
 public:
  // The contracts are those of the first loader. They must outlive the cache.
  FileCache(const Document& document, const ByteSource& source, const ContractTable& contracts)
      : document_(document), source_(source), contracts_(&contracts) {}

  template <typename T, typename Make>
  [[nodiscard]] const T& Get(Make make) const {
    for (const Thing& thing : things_) {
      if (thing.name != &kName<T>) continue;
      asked_contracts_ |= thing.of_loader;
      return *static_cast<const T*>(thing.value.get());
    }
    const bool asked_before = std::exchange(asked_contracts_, false);
    auto value = std::make_shared<const T>(make());
    const T& made = *value;
    things_.push_back({&kName<T>, std::move(value), asked_contracts_});
    asked_contracts_ |= asked_before;
    return made;
  }

  // Contracts returns those of the loader whose rules run.
  [[nodiscard]] const ContractTable& Contracts() const {
    asked_contracts_ = true;
    return *contracts_;
  }

  // JudgeFor selects the contracts of another loader, which must outlive the cache.
  void JudgeFor(const ContractTable& contracts);

  // TakeAsked returns whether Contracts(), or a fact that depends on it, was requested since the
  // last call.
  [[nodiscard]] bool TakeAsked() { return std::exchange(asked_contracts_, false); }

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
    bool of_loader;  // depends on contracts
  };

  const Document& document_;
  const ByteSource& source_;
  // Rules get a const cache: the value of a fact does not depend on when it is computed.
  mutable std::vector<Thing> things_;
  mutable bool asked_contracts_ = false;
  const ContractTable* contracts_;
  mutable ReadOutcome io_;
};

}  // namespace ggufgate
