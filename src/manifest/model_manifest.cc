#include "manifest/model_manifest.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gate/reading/digest.h"
#include "gate/reading/read_document.h"
#include "parse/extent.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

absl::StatusOr<ByteRange> RangeOf(const Document& document, const ByteSource& source,
                                  const TensorInfo& tensor) {
  const Extent extent = ExtentOf(tensor, 1);
  const std::optional<ByteRange> range = DataRange(document, tensor, extent);
  if (extent.type == nullptr || !extent.whole_blocks || !range || !range->FitsIn(source.size())) {
    return absl::DataLossError("the file does not have all data of a tensor");
  }
  return *range;
}

// AddRange reads a range a chunk at a time, and adds it to each of the digests.
absl::Status AddRange(const ByteSource& source, ByteRange range,
                      std::initializer_list<Sha256*> digests) {
  std::vector<std::uint8_t> chunk(std::min(kDigestChunkBytes, range.size));
  while (range.size > 0) {
    const MutableBytes bytes =
        MutableBytes(chunk).first(std::min<std::uint64_t>(chunk.size(), range.size));
    const ReadOutcome outcome = source.ReadAt(range.begin, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    for (Sha256* const digest : digests) {
      if (absl::Status added = digest->Add(bytes); !added.ok()) return added;
    }
    range = ByteRange::Between(range.begin + bytes.size(), range.End());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Sha256OfText(std::string_view text) {
  absl::StatusOr<Sha256> digest = Sha256::Begin();
  if (!digest.ok()) return digest.status();
  if (absl::Status added = digest->Add(AsBytes(text)); !added.ok()) return added;
  return digest->Finish();
}

absl::StatusOr<std::string> MetadataSha256(const Document& document) {
  std::vector<const MetadataEntry*> entries;
  for (const MetadataEntry& entry : document.metadata) entries.push_back(&entry);
  std::ranges::sort(entries, {}, [](const MetadataEntry* entry) { return entry->key; });
  absl::StatusOr<Sha256> digest = Sha256::Begin();
  if (!digest.ok()) return digest.status();
  for (const MetadataEntry* entry : entries) {
    if (absl::Status added = digest->Add(document.BytesAt(entry->range)); !added.ok()) return added;
  }
  return digest->Finish();
}

absl::StatusOr<ManifestTensor> TensorOf(const Document& document, const ByteSource& source,
                                        const TensorInfo& tensor, Sha256& all) {
  const absl::StatusOr<ByteRange> range = RangeOf(document, source, tensor);
  if (!range.ok()) return range.status();
  absl::StatusOr<Sha256> digest = Sha256::Begin();
  if (!digest.ok()) return digest.status();
  if (absl::Status added = AddRange(source, *range, {&*digest, &all}); !added.ok()) return added;
  absl::StatusOr<std::string> hex = digest->Finish();
  if (!hex.ok()) return hex.status();
  const auto dimensions = tensor.Dimensions();
  return ManifestTensor{.name = EscapeText(tensor.name),
                        .type = std::string(ExtentOf(tensor, 1).type->name),
                        .dimensions = {dimensions.begin(), dimensions.end()},
                        .bytes = range->size,
                        .sha256 = *std::move(hex)};
}

absl::Status AddTensors(const Document& document, const ByteSource& source,
                        ModelManifest& manifest) {
  absl::StatusOr<Sha256> all = Sha256::Begin();
  if (!all.ok()) return all.status();
  for (const TensorInfo& tensor : document.tensors) {
    absl::StatusOr<ManifestTensor> made = TensorOf(document, source, tensor, *all);
    if (!made.ok()) return made.status();
    manifest.tensors.push_back(*std::move(made));
  }
  absl::StatusOr<std::string> hex = all->Finish();
  if (!hex.ok()) return hex.status();
  manifest.data_sha256 = *std::move(hex);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> RootOf(const ModelManifest& manifest) {
  std::vector<const ManifestTensor*> tensors;
  for (const ManifestTensor& tensor : manifest.tensors) tensors.push_back(&tensor);
  std::ranges::sort(
      tensors, {}, [](const ManifestTensor* tensor) -> const std::string& { return tensor->name; });
  std::string text = absl::StrCat("ggufgate.manifest/1\nmetadata ", manifest.metadata_sha256, "\n");
  for (const ManifestTensor* tensor : tensors) {
    absl::StrAppend(&text, "tensor ", tensor->sha256, " ", tensor->bytes, " ", tensor->type, " ",
                    absl::StrJoin(tensor->dimensions, ","), " ", tensor->name, "\n");
  }
  return Sha256OfText(text);
}

absl::StatusOr<ModelManifest> MakeManifest(const Document& document, const ByteSource& source) {
  ModelManifest manifest{.file_bytes = source.size(),
                         .big_endian = document.byte_order == ByteOrder::kBig,
                         .metadata_keys = document.metadata.size()};
  absl::StatusOr<std::string> metadata = MetadataSha256(document);
  if (!metadata.ok()) return metadata.status();
  manifest.metadata_sha256 = *std::move(metadata);
  if (absl::Status added = AddTensors(document, source, manifest); !added.ok()) return added;
  absl::StatusOr<std::string> root = RootOf(manifest);
  if (!root.ok()) return root.status();
  manifest.root_sha256 = *std::move(root);
  absl::StatusOr<std::string> file = Sha256Of(source);
  if (!file.ok()) return file.status();
  manifest.file_sha256 = *std::move(file);
  return manifest;
}

absl::StatusOr<std::string> DataSha256(const Document& document, const ByteSource& source,
                                       const TensorInfo& tensor) {
  const absl::StatusOr<ByteRange> range = RangeOf(document, source, tensor);
  if (!range.ok()) return range.status();
  absl::StatusOr<Sha256> digest = Sha256::Begin();
  if (!digest.ok()) return digest.status();
  if (absl::Status added = AddRange(source, *range, {&*digest}); !added.ok()) return added;
  return digest->Finish();
}

}  // namespace ggufgate
