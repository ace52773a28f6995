// Reads and checks the tensor data, piece by piece.

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "bytes/aligned_bytes.h"
#include "check/data_scan.h"
#include "check/rules/context.h"
#include "check/rules/tensor_data/expert_tables.h"
#include "parse/document.h"
#include "parse/extent.h"
#include "scan/indices.h"
#include "scan/scan.h"
#include "scan/scan_mutex.h"

namespace ggufgate {
namespace {

struct Target {
  std::uint64_t tensor;
  const TensorTypeInfo* type;
  ByteRange range;
  std::uint32_t experts = 0;  // for a table of experts: the limit of its indices
};

// IsWanted returns whether the data of a tensor are checked. Scales of quantised types always are.
// A full scan also checks all values of other types, if they are floats. Otherwise only tensors of
// one dimension are checked: norms and biases, which are small and scale whole rows.
bool IsWanted(const TensorInfo& tensor, const TensorTypeInfo& type, DataScan scan) {
  if (FieldsOf(type.type).empty()) return false;
  if (scan == DataScan::kFull) return true;
  if (type.quantised) return type.type != TensorType::kNVFP4;  // its scales are always finite
  return tensor.dimension_count <= 1;
}

// TargetsOf lists the tensors to scan, sorted by file offset. If tensors overlap, it keeps only the
// first.
std::vector<Target> TargetsOf(const Document& document, std::span<const Extent> extents,
                              const Policy& policy) {
  std::vector<Target> targets;
  const DataScan scan = policy.data;
  if (scan == DataScan::kNone) return targets;
  const bool full = scan == DataScan::kFull;
  const ExpertTables tables = full ? ExpertTablesOf(document, policy) : ExpertTables{};
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    const Extent& extent = extents[i];
    const std::optional<ByteRange> range = DataRange(document, tensor, extent);
    if (!range || range->size == 0 || !range->FitsIn(document.file_size)) continue;
    if (extent.type == nullptr) continue;  // a layout that the scan does not know
    const std::uint32_t experts = tables.Has(tensor) ? tables.experts : 0;
    if (experts > 0 || IsWanted(tensor, *extent.type, scan)) {
      targets.push_back({i, extent.type, *range, experts});
    }
  }
  const auto place = [](const Target& target) {
    return std::tuple(target.range.begin, target.tensor);
  };
  if (!std::ranges::is_sorted(targets, {}, place)) std::ranges::sort(targets, {}, place);
  std::uint64_t end = 0;
  std::erase_if(targets, [&end](const Target& target) {
    if (target.range.begin < end) return true;
    end = target.range.End();
    return false;
  });
  return targets;
}

// Piece is some blocks of a target. A thread claims one piece at a time.
struct Piece {
  std::size_t target;
  ByteRange range;  // offsets in the tensor
};

// DataScanner distributes pieces to threads and collects the results. The sum does not depend on
// the threads: counts are added, and the faults with the lowest file offsets are kept.
class DataScanner {
 public:
  DataScanner(const Document& document, std::vector<Target> targets, const ByteSource& source,
              const Policy& policy, const CheckHooks& hooks)
      : document_(document),
        targets_(std::move(targets)),
        source_(source),
        depth_(policy.data == DataScan::kFull ? Depth::kFull : Depth::kScales),
        most_(std::max<std::size_t>(policy.findings_per_rule, 1)),
        hooks_(hooks),
        nonzero_(targets_.size()),
        whole_(targets_.size()) {}

  // Work scans pieces until all are done. Several threads may call it at once.
  void Work() {
    if (source_.forward_only()) return WorkInOrder();
    AlignedBytes buffer;
    while (const std::optional<Piece> piece = Claim()) WorkOn(*piece, buffer);
  }

  // WorkOn scans one claimed piece. It enlarges the buffer if necessary.
  void WorkOn(const Piece& piece, AlignedBytes& buffer) {
    const Target& target = targets_.at(piece.target);
    const std::uint64_t room = std::min(piece.range.size, kScanChunkBytes);
    if (buffer.size() < room) buffer = AlignedBytes(room);
    const BlockScanner scanner(*target.type, document_.byte_order, depth_);
    DataTally tally{.most = most_};
    const ReadOutcome outcome = ScanPiece(target, piece, scanner, buffer.bytes(), tally);
    Gather(piece, tally, outcome);
  }

  // Claim returns the next piece; nullopt if there is none, or if a read failed.
  std::optional<Piece> Claim() {
    const ScanLock lock(mutex_);
    if (next_target_ == targets_.size() || !result_.io.complete()) return std::nullopt;
    const Target& target = targets_.at(next_target_);
    const std::uint64_t most = std::min(MostBytesOf(target), target.range.size - next_begin_);
    const Piece piece{next_target_, {next_begin_, most}};
    next_begin_ = piece.range.End();
    if (next_begin_ == target.range.size) {
      next_begin_ = 0;
      ++next_target_;
    }
    return piece;
  }

  // PlaceOf returns the range of a piece in the file.
  [[nodiscard]] ByteRange PlaceOf(const Piece& piece) const {
    return {targets_.at(piece.target).range.begin + piece.range.begin, piece.range.size};
  }

  [[nodiscard]] DataScanResult Take() {
    for (std::size_t i = 0; depth_ == Depth::kFull && i < whole_; ++i) {
      if (targets_.at(i).experts > 0) continue;  // all tokens may go to the first expert
      if (nonzero_.at(i) == 0) result_.all_zero.push_back(targets_.at(i).tensor);
    }
    return std::move(result_);
  }

 private:
  static std::uint64_t ChunkBytesOf(const BlockScanner& scanner) {
    return kScanChunkBytes / scanner.granule() * scanner.granule();
  }

  // Judge checks a chunk of a target, from byte `at` of the target on.
  void Judge(const Target& target, const BlockScanner& scanner, Bytes chunk, std::uint64_t at,
             DataTally& tally) const {
    const std::uint64_t block = at / target.type->block_bytes;
    if (target.experts == 0) return scanner.Scan(chunk, block, tally);
    ScanIndices({.order = document_.byte_order, .count = target.experts, .first = block}, chunk,
                tally);
  }

  // WorkInOrder reads one chunk at a time under a lock. It scans the chunk while other threads
  // read.
  void WorkInOrder() {
    AlignedBytes buffer(kScanChunkBytes);
    while (true) {
      ScanLock turn(turn_);
      const std::optional<Piece> piece = Claim();
      if (!piece) return;
      const Target& target = targets_.at(piece->target);
      const MutableBytes chunk = buffer.bytes().first(piece->range.size);
      const ReadOutcome outcome = source_.ReadAt(target.range.begin + piece->range.begin, chunk);
      DataTally tally{.most = most_};
      if (!outcome.complete()) return Gather(*piece, tally, outcome);
      turn.unlock();
      const BlockScanner scanner(*target.type, document_.byte_order, depth_);
      Judge(target, scanner, chunk, piece->range.begin, tally);
      if (hooks_.on_read) hooks_.on_read(chunk.size());
      Gather(*piece, tally, outcome);
    }
  }

  // MostBytesOf returns the largest size of a piece of a target.
  [[nodiscard]] std::uint64_t MostBytesOf(const Target& target) const {
    if (!source_.forward_only()) {
      return kScanPieceBytes / target.type->block_bytes * target.type->block_bytes;
    }
    return ChunkBytesOf(BlockScanner(*target.type, document_.byte_order, depth_));
  }

  ReadOutcome ScanPiece(const Target& target, const Piece& piece, const BlockScanner& scanner,
                        MutableBytes buffer, DataTally& tally) const {
    const std::uint64_t chunk_bytes = ChunkBytesOf(scanner);
    for (std::uint64_t at = piece.range.begin; at < piece.range.End();) {
      const MutableBytes chunk = buffer.first(std::min(chunk_bytes, piece.range.End() - at));
      const ReadOutcome outcome = source_.ReadAt(target.range.begin + at, chunk);
      if (!outcome.complete()) return outcome;
      Judge(target, scanner, chunk, at, tally);
      if (hooks_.on_read) hooks_.on_read(chunk.size());
      at += chunk.size();
    }
    return {};
  }

  void Gather(const Piece& piece, const DataTally& tally, const ReadOutcome& outcome) {
    const ScanLock lock(mutex_);
    if (!outcome.complete()) {
      whole_ = std::min(whole_, piece.target);
      if (result_.io.complete()) result_.io = outcome;
    }
    if (tally.nonzero) nonzero_.at(piece.target) = 1;
    if (tally.Clean()) return;
    if (hooks_.on_faults) hooks_.on_faults(tally.counts);
    for (std::size_t fault = 0; fault < kDataFaultCount; ++fault) {
      result_.counts.at(fault) += tally.counts.at(fault);
      Keep(targets_.at(piece.target), tally.hits.at(fault), result_.first.at(fault));
    }
  }

  // Keep merges the hits of a piece into the first faults of the file.
  void Keep(const Target& target, const std::vector<DataHit>& hits,
            std::vector<DataFound>& first) const {
    const auto place = [](const DataFound& found) {
      return std::tuple(found.hit.at, found.hit.element);
    };
    const std::uint64_t last = first.size() < most_ ? UINT64_MAX : first.back().hit.at;
    for (DataHit hit : hits) {
      hit.at += target.range.begin;
      if (hit.at > last) break;
      first.push_back({target.tensor, hit});
    }
    // This is cheap, because pieces arrive nearly in order.
    if (!std::ranges::is_sorted(first, {}, place)) std::ranges::sort(first, {}, place);
    if (first.size() > most_) first.resize(most_);
  }

  const Document& document_;
  const std::vector<Target> targets_;
  const ByteSource& source_;
  const Depth depth_;
  const std::size_t most_;
  const CheckHooks& hooks_;

  ScanMutex turn_;   // held by the thread that reads from a forward-only source
  ScanMutex mutex_;  // guards the members below
  std::size_t next_target_ = 0;
  std::uint64_t next_begin_ = 0;       // offset in that target
  std::vector<std::uint8_t> nonzero_;  // by target: it has a byte that is not 0
  std::size_t whole_;                  // all targets before this index were read completely
  DataScanResult result_;
};

}  // namespace

DataScanResult ScanData(const Document& document, std::span<const Extent> extents,
                        const ByteSource& source, const Policy& policy, const CheckHooks& hooks) {
  std::vector<Target> targets = TargetsOf(document, extents, policy);
  if (targets.empty()) return {};
  DataScanner scanner(document, std::move(targets), source, policy, hooks);
  if (hooks.run_together) {
    hooks.run_together([&scanner] { scanner.Work(); });
  } else {
    scanner.Work();
  }
  return scanner.Take();
}

// --- for callers that push the bytes -------------------------------------------------------------

namespace {

// GivenSource serves only the piece that it was given last.
class GivenSource final : public ByteSource {
 public:
  explicit GivenSource(std::uint64_t size) : size_(size) {}

  void Give(std::uint64_t begin, Bytes bytes) {
    begin_ = begin;
    bytes_ = bytes;
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (offset < begin_ ||
        !ByteRange{.begin = offset - begin_, .size = out.size()}.FitsIn(bytes_.size())) {
      return {.kind = ReadOutcome::Kind::kShrunk};
    }
    std::ranges::copy(bytes_.subspan(offset - begin_, out.size()), out.begin());
    return {};
  }

 private:
  std::uint64_t size_;
  std::uint64_t begin_ = 0;
  Bytes bytes_;
};

}  // namespace

class DataScanSteps::State {
 public:
  State(const Document& document, std::vector<Target> targets, const Policy& policy)
      : source(document.file_size), scanner(document, std::move(targets), source, policy, hooks) {}

  CheckHooks hooks;
  GivenSource source;
  DataScanner scanner;
  std::optional<Piece> piece;
  AlignedBytes buffer;
};

DataScanSteps::DataScanSteps(const Document& document, std::span<const Extent> extents,
                             const Policy& policy)
    : state_(std::make_unique<State>(document, TargetsOf(document, extents, policy), policy)) {
  state_->piece = state_->scanner.Claim();
}

DataScanSteps::~DataScanSteps() = default;

std::optional<ByteRange> DataScanSteps::Wanted() const {
  if (!state_->piece) return std::nullopt;
  return state_->scanner.PlaceOf(*state_->piece);
}

void DataScanSteps::Give(Bytes bytes) {
  state_->source.Give(state_->scanner.PlaceOf(*state_->piece).begin, bytes);
  state_->scanner.WorkOn(*state_->piece, state_->buffer);
  state_->piece = state_->scanner.Claim();
}

DataScanResult DataScanSteps::Take() { return state_->scanner.Take(); }

}  // namespace ggufgate
