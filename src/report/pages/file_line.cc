#include "report/pages/file_line.h"

#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

std::string SummaryText(const Summary& summary, std::uint64_t bytes) {
  const bool named = !summary.architecture.empty();
  std::string text = named ? EscapeText(summary.architecture) : "no architecture";
  if (!summary.sidecar.empty()) {
    text = EscapeText(summary.sidecar) + (named ? " for " + text : "");
    if (summary.rank > 0) text += ", rank " + Grouped(summary.rank);
    if (summary.sidecar == kLoraAdapter) text += " (load it with its model and --lora)";
  }
  const bool model = named && summary.sidecar.empty();
  if (summary.tensors == 0) {
    text += ", no tensors";
  } else {
    text += (model ? " " : ", ") + HumanCount(summary.parameters);
    text += ", " + summary.main_type + (summary.mixed_types ? " mostly" : "");
    text += ", " + Grouped(summary.tensors) + (summary.tensors == 1 ? " tensor" : " tensors");
  }
  return text + ", " + HumanBytes(bytes);
}

std::string DataText(const FileVerdict& file) {
  if (file.came) return ", by its first " + HumanBytes(*file.came);
  if (file.summary.tensors == 0) return "";
  if (file.data == DataScan::kNone) return ", weights not checked";
  return ", data: " + std::string(kDataScanWords.at(static_cast<std::size_t>(file.data)));
}

std::string ShardText(const FileVerdict& file) {
  if (file.lone_shard_of == 0) return "";
  return ", one of " + Grouped(file.lone_shard_of) + " shards, checked alone";
}

std::string FetchedText(const FileVerdict& file) {
  if (!file.remote) return "";
  return ", fetched " + HumanBytes(file.remote->fetched) + " in " + Grouped(file.remote->requests) +
         (file.remote->requests == 1 ? " request" : " requests");
}

std::string RehearsalText(const FileVerdict& file) {
  if (!file.rehearsal) return "";
  return ", " + file.rehearsal->outcome + " in the rehearsal";
}

}  // namespace

std::string FileLine(const FileVerdict& file) {
  return SummaryText(file.summary, file.identity.size) + DataText(file) + ShardText(file) +
         FetchedText(file) + RehearsalText(file);
}

}  // namespace ggufgate
