#pragma once

// Declarations that the parts of RepairMeaning share.

#include <array>
#include <cstdint>
#include <string_view>

#include "format/architecture.h"
#include "format/tokenizers/tokenizer.h"
#include "mutate/build/known_key.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// KnownEntries are the entries of a draft whose keys are in keys.def.
class KnownEntries {
 public:
  explicit KnownEntries(Draft& draft) : draft_(draft) {}

  void Note(KeyId id, std::size_t place) {
    places_[id] = static_cast<std::uint16_t>(place + 1);
    const KnownKey& key = kKnownKeys[id];
    describes_layers_ = describes_layers_ || key.of_architecture || IsPerLayer(key.shape);
  }
  // Find returns an entry, or nullptr if it is absent or was dropped.
  [[nodiscard]] Entry* Find(KeyId id) const {
    return places_[id] == 0 ? nullptr : &draft_.entries[places_[id] - std::size_t{1}];
  }
  // Drop marks an entry, if present, for removal. It sets an empty key, which no valid entry has.
  void Drop(KeyId id) {
    if (Entry* const entry = Find(id)) entry->key = {};
    places_[id] = 0;
    dropped_ = true;
  }
  [[nodiscard]] bool dropped() const { return dropped_; }
  // True if a recorded key belongs to the architecture or has a value per layer.
  [[nodiscard]] bool describes_layers() const { return describes_layers_; }
  [[nodiscard]] Draft& draft() const { return draft_; }

 private:
  static_assert(Draft::kMostEntries < UINT16_MAX);
  Draft& draft_;
  std::array<std::uint16_t, kKnownKeys.size()> places_{};  // 0: absent
  bool dropped_ = false;
  bool describes_layers_ = false;
};

// DividesByHeads returns whether loaders divide by the number of heads before they check anything
// else. Then the key must be present.
[[nodiscard]] bool DividesByHeads(std::string_view architecture);

// KeepSound… functions drop entries that contradict other entries or the tensors.
void KeepSoundHyperParameters(KnownEntries& known, const ArchitectureInfo* info);
void KeepSoundTokenizer(KnownEntries& known);  // mutate/repair/tokenizer.cc
// ServesTexts returns whether every text can be tokenised with a vocabulary at a reasonable cost.
// `has_unknown`: it has a token for unknown text. Defined in mutate/repair/vocabulary.cc.
[[nodiscard]] bool ServesTexts(const TokenizerInfo& tokenizer, const Entry& tokens,
                               bool has_unknown);
// Defined in mutate/repair/sidecars.cc.
void KeepSoundAdapter(MutationContext& context);
void KeepSoundShard(KnownEntries& known);

}  // namespace ggufgate::mutate
