#include "check/rules/file_cache.h"

#include <vector>

namespace ggufgate {

const LoaderContract* FileCache::FindContract(std::string_view architecture) const {
  asked_.AddPresence();
  const IndexedContract* const contract = Indexed(*contracts_, architecture);
  if (contract == nullptr) return nullptr;
  return &contract_.emplace(*contract, asked_);
}

const IndexedContract* FileCache::Indexed(const ContractTable& contracts,
                                          std::string_view architecture) const {
  const Contract* const contract = contracts.Find(architecture);
  if (contract == nullptr) return nullptr;
  for (const IndexedContract& known : indexed_) {
    if (&known.contract() == contract) return &known;
  }
  return &indexed_.emplace_back(*contract);
}

ContractWords FileCache::DifferenceOf(const ContractTable& a, const ContractTable& b,
                                      std::string_view architecture) const {
  const IndexedContract* const in_a = Indexed(a, architecture);
  const IndexedContract* const in_b = Indexed(b, architecture);
  if (in_a == in_b) return {};
  return in_a == nullptr ? ContractWords::All() : in_a->DifferingFrom(in_b);
}

void FileCache::JudgeFor(const ContractTable& contracts, std::string_view architecture) {
  const ContractWords differing = DifferenceOf(*contracts_, contracts, architecture);
  std::erase_if(things_, [&](const Thing& thing) { return thing.asked.Overlaps(differing); });
  contracts_ = &contracts;
}

Bytes FileCache::View(ByteRange range, MutableBytes scratch) const {
  if (range.FitsIn(document_.prefix.size())) return document_.BytesAt(range);
  if (!io_.complete()) return {};
  const MutableBytes out = scratch.first(range.size);
  io_ = source_.ReadAt(range.begin, out);
  return io_.complete() ? Bytes(out) : Bytes();
}

}  // namespace ggufgate
