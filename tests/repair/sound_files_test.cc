// Sound files stay as they are.

#include "check/hyper_parameters.h"
#include "mutate/mutator.h"
#include "parse/extent.h"
#include "tests/mutate/seed_files.h"
#include "tests/repair/repaired.h"

namespace ggufgate::testing {
namespace {

// EndsAsItShould computes the end of the file from its tensors.
bool EndsAsItShould(const File& file) {
  const Document document = DocumentOf(file);
  if (document.tensors.empty()) return true;
  std::uint64_t end = 0;
  for (const TensorInfo& tensor : document.tensors) {
    end = std::max(end, tensor.offset + ExtentOf(tensor, 1).bytes.value_or(0));
  }
  const std::uint64_t alignment = document.alignment.value_or(1);
  return file.size() == *document.data_begin + (end + alignment - 1) / alignment * alignment;
}

// IsSound is true of a file without any finding, and with an end as the format asks for. A first
// shard that has all tensors is not sound alone: a loader looks for the others.
bool IsSound(const File& file) {
  const Judged judged = Judge(file, PolicyOfRepair());
  const Document& document = judged.parsed.document;
  return judged.Rules(Severity::kNote).empty() && document.data_begin && EndsAsItShould(file) &&
         !HasOtherShards(document);
}

// ExpectUnchanged counts the sound files.
std::size_t ExpectUnchanged(const std::vector<File>& files) {
  std::size_t sound = 0;
  for (const File& file : files) {
    if (!IsSound(file)) continue;
    ++sound;
    const Repaired repaired = RepairOf(file);
    EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kNothing);
    EXPECT_THAT(repaired.repair.plan.changes, IsEmpty());
    EXPECT_THAT(repaired.repair.plan.doubts, IsEmpty());
  }
  return sound;
}

std::vector<File> ModelsOfAllArchitectures() {
  std::vector<File> files;
  for (const Contract& contract : AllContracts()) {
    if (contract.architecture == "gemma3n") continue;  // 15 MB
    files.push_back(Write(Learned(contract.architecture)));
  }
  return files;
}

std::vector<File> Mutants(std::size_t count) {
  const std::vector<File> seeds = mutate::CorpusFiles(std::size_t{1} << 14);
  mutate::Mutator mutator(std::size_t{1} << 16);
  std::vector<File> files;
  for (std::size_t i = 0; i < count; ++i) {
    const mutate::Mutant mutant = mutator.Make(
        {.input = seeds.at(i % seeds.size()), .mode = mutate::Mode::kConsistent, .seed = i});
    files.emplace_back(mutant.bytes.begin(), mutant.bytes.end());
  }
  return files;
}

TEST(SoundFiles, AreNotChanged) {
  std::vector<File> files = mutate::FilesIn(GGUFGATE_SOURCE_DIR "/corpus/valid",
                                            [](const std::filesystem::directory_entry& entry) {
                                              return entry.path().extension() == ".gguf";
                                            });
  std::size_t sound = ExpectUnchanged(files);
  sound += ExpectUnchanged(ModelsOfAllArchitectures());
  sound += ExpectUnchanged(Mutants(1000));
  EXPECT_GE(sound, 300U);
  RecordProperty("files", static_cast<int>(sound));
}

TEST(SoundFiles, OfASetOfShardsAreNotChanged) {
  const std::vector<File> shards = mutate::FilesIn(GGUFGATE_SOURCE_DIR "/corpus/sets/complete",
                                                   [](const auto&) { return true; });
  EXPECT_EQ(shards.size(), 3U);
  for (const File& shard : shards) {
    EXPECT_THAT(RepairOf(shard).repair.plan.changes, IsEmpty());
    EXPECT_EQ(RepairOf(shard).repair.outcome, Repair::Outcome::kNothing);
  }
}

// Every file of the corpus gets an outcome; whatever is repaired is accepted and needs no second
// repair.
TEST(SoundFiles, AndFaultyOnesGetAnAcceptedFileOrNone) {
  std::size_t repaired_files = 0;
  for (const File& file : mutate::CorpusFiles()) {
    const Repaired repaired = RepairOf(file);
    if (repaired.repair.outcome != Repair::Outcome::kRepaired) continue;
    ++repaired_files;
    EXPECT_TRUE(Judge(repaired.file, PolicyOfRepair()).Accepted());
    EXPECT_EQ(ManifestOf(file).tensors, ManifestOf(repaired.file).tensors);
    EXPECT_THAT(RepairOf(repaired.file).repair.plan.changes, IsEmpty());
  }
  EXPECT_GE(repaired_files, 10U);
}

}  // namespace
}  // namespace ggufgate::testing
