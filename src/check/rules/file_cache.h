#pragma once

// Caches facts about a file that several rules need, and gives them contracts. Not for users of the
// library.

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"
#include "format/contracts/contract_table.h"
#include "format/contracts/contract_words.h"
#include "parse/document.h"

namespace ggufgate {

// LoaderContract is the contract of the file's architecture in the loader whose rules run. It notes
// the words whose lines are read.
class LoaderContract {
 public:
  // Views both arguments.
  LoaderContract(const IndexedContract& contract, ContractWords& asked)
      : contract_(&contract), asked_(&asked) {}

  [[nodiscard]] std::string_view architecture() const { return contract_->contract().architecture; }

  // Lines returns the lines of one of kContractWords.
  [[nodiscard]] ContractLines Lines(std::string_view word) const {
    asked_->Add(word);
    return contract_->Lines(word);
  }

 private:
  const IndexedContract* contract_;
  ContractWords* asked_;
};

// FileCache keeps the facts about one file while its rules run. Each fact is computed when the
// first rule asks for it. It stays unchanged at the same address until the cache is destroyed:
//
//   const Vocabulary& VocabularyOf(const Context& context) {
//     return context.cache.Get<Vocabulary>([&] { return Find(context.document); });
//   }
//
// The type is the key of the fact. For a private fact, use a private type. A fact must depend only
// on the file, the policy and FindContract(). Its computation may ask for other facts, but not for
// itself. Use a cache in one thread only: rules run one after the other.
//
// A policy may name several loaders. The cache notes which lines of a contract each fact depends
// on. Before the rules run for the next loader, it drops the facts whose lines differ there.
class FileCache {
 public:
  // The contracts are those of the first loader. They must outlive the cache.
  FileCache(const Document& document, const ByteSource& source, const ContractTable& contracts)
      : document_(document), source_(source), contracts_(&contracts) {}

  template <typename T, typename Make>
  [[nodiscard]] const T& Get(Make make) const {
    for (const Thing& thing : things_) {
      if (thing.name != &kName<T>) continue;
      asked_.Add(thing.asked);
      return *static_cast<const T*>(thing.value.get());
    }
    const ContractWords asked_before = std::exchange(asked_, {});
    auto value = std::make_shared<const T>(make());
    const T& made = *value;
    things_.push_back({&kName<T>, std::move(value), asked_});
    asked_.Add(asked_before);
    return made;
  }

  // FindContract returns the contract of the file's architecture in the loader whose rules run;
  // nullptr if it has none there. It is valid until the next loader.
  [[nodiscard]] const LoaderContract* FindContract(std::string_view architecture) const;

  // DifferenceOf returns the words whose lines differ between the file's contracts in two loaders.
  [[nodiscard]] ContractWords DifferenceOf(const ContractTable& a, const ContractTable& b,
                                           std::string_view architecture) const;

  // JudgeFor selects the contracts of another loader, which must outlive the cache.
  void JudgeFor(const ContractTable& contracts, std::string_view architecture);

  // TakeAsked returns the words whose lines were read since the last call, by facts as well.
  [[nodiscard]] ContractWords TakeAsked() { return std::exchange(asked_, {}); }

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
    ContractWords asked;  // the lines that it depends on
  };

  // Indexed returns the contract of a loader; nullptr if it has none.
  [[nodiscard]] const IndexedContract* Indexed(const ContractTable& contracts,
                                               std::string_view architecture) const;

  const Document& document_;
  const ByteSource& source_;
  // Rules get a const cache: the value of a fact does not depend on when it is computed.
  mutable std::vector<Thing> things_;
  mutable ContractWords asked_;
  mutable std::optional<LoaderContract> contract_;  // as last found
  mutable std::deque<IndexedContract> indexed_;     // of the loaders so far
  const ContractTable* contracts_;
  mutable ReadOutcome io_;
};

}  // namespace ggufgate
