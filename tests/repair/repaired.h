#pragma once

// Repairs of files in memory, and the properties that each must have.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "format/contracts/contract.h"
#include "manifest/model_manifest.h"
#include "mutate/generate/learned_model.h"
#include "mutate/generate/learned_vocabulary.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "repair/repair.h"
#include "repair/repaired_source.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {

using File = std::vector<std::uint8_t>;

// Repaired is a repair with the file that it would write.
struct Repaired {
  Repair repair;
  File file;  // empty without changes
};

inline Document DocumentOf(const File& file) {
  return Parse(file, file.size(), PolicyOfRepair().limits).document;
}

inline Repaired RepairOf(const File& old) {
  const MemorySource source(old);
  Repaired repaired{.repair = TryRepair(DocumentOf(old), source), .file = {}};
  if (repaired.repair.plan.changes.empty()) return repaired;
  const RepairedSource made(repaired.repair.plan, source);
  repaired.file.resize(made.size());
  EXPECT_TRUE(made.ReadAt(0, repaired.file).complete());
  return repaired;
}

inline ModelManifest ManifestOf(const File& file) {
  const MemorySource source(file);
  const auto manifest = MakeManifest(WithData(DocumentOf(file)), source);
  EXPECT_TRUE(manifest.ok()) << manifest.status().message();
  return manifest.ok() ? *manifest : ModelManifest{};
}

// SlugsOf returns the slugs of the changes, each once, in their order.
inline std::vector<std::string> SlugsOf(const RepairPlan& plan) {
  std::vector<std::string> slugs;
  for (const Change& change : plan.changes) {
    const std::string slug(InfoOf(change.repair).slug);
    if (slugs.empty() || slugs.back() != slug) slugs.push_back(slug);
  }
  return slugs;
}

inline std::vector<DoubtId> DoubtsOf(const Repair& repair) {
  std::vector<DoubtId> doubts;
  for (const Doubt& doubt : repair.plan.doubts) doubts.push_back(doubt.id);
  return doubts;
}

// Learned returns a small complete model of an architecture.
inline Model Learned(std::string_view architecture) {
  const Contract* contract = FindContract(architecture);
  EXPECT_NE(contract, nullptr) << architecture;
  const auto form = mutate::SimplestForm(*contract, false, false);
  return mutate::MakeLearned(
      {.contract = contract,
       .form = form ? *form : mutate::SimplestForm(*contract, true, false).value(),
       .vocabulary = mutate::FindVocabulary(contract->vocabulary).value()});
}

}  // namespace ggufgate::testing
