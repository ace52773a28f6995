// ggufgate-rehearse: loads a model with a third-party loader, for `ggufgate rehearse`. It is not
// meant to be run by people. It confines itself before it opens the loader, because both share its
// memory.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bytes/bytes.h"
#include "rehearse/driver/command.h"
#include "rehearse/driver/confine_driver.h"
#include "rehearse/driver/interposed.h"
#include "rehearse/driver/loader.h"
#include "rehearse/driver/session.h"
#include "rehearse/driver/speaker.h"
#include "rehearse/driver_record.h"

namespace ggufgate::driver {
namespace {

struct Arguments {
  std::string loader;
  RehearsalStage last_stage = RehearsalStage::kDone;
  std::vector<std::uint64_t> front_bytes = {};  // of each shard, then of each adapter
  std::size_t adapters = 0;
  std::uint64_t tokens = 0;
  bool repacks = false;
  std::uint64_t cpu_seconds = 0;
  std::span<char* const> command = {};  // its name and arguments; empty: the loader is a library
};

std::optional<std::uint64_t> Number(const std::string& text) {
  std::uint64_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9' || number > (~std::uint64_t{0} - 9) / 10) return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return text.empty() ? std::nullopt : std::optional(number);
}

// Numbers reads numbers that are separated by commas, one for each stand-in.
std::optional<std::vector<std::uint64_t>> Numbers(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<std::uint64_t> number = Number(text.substr(begin, end - begin));
    if (!number || numbers.size() == kMostStandIns) return std::nullopt;
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

// DescriptorOf returns the descriptor of a stand-in. The adapters follow the shards.
int DescriptorOf(std::size_t stand_in) {
  return stand_in == 0 ? kDriverStandIn : kDriverOthers + static_cast<int>(stand_in) - 1;
}

std::string PathOf(std::size_t stand_in) {
  return "/proc/self/fd/" + std::to_string(DescriptorOf(stand_in));
}

std::optional<Arguments> Read(std::span<char* const> words) {
  if (words.size() < kDriverArguments) return std::nullopt;
  const auto stage = StageCalled(words[kDriverLastStage]);
  const auto fronts = Numbers(words[kDriverFrontBytes]);
  const auto tokens = Number(words[kDriverTokens]);
  const auto repacks = Number(words[kDriverRepacks]);
  const auto seconds = Number(words[kDriverCpuSeconds]);
  const auto adapters = Number(words[kDriverAdapters]);
  if (!stage || !fronts || !tokens || *tokens == 0 || !repacks || !seconds || !adapters ||
      *adapters >= fronts->size()) {
    return std::nullopt;
  }
  return Arguments{.loader = words[kDriverLoader],
                   .last_stage = *stage,
                   .front_bytes = *fronts,
                   .adapters = static_cast<std::size_t>(*adapters),
                   .tokens = *tokens,
                   .repacks = *repacks != 0,
                   .cpu_seconds = *seconds,
                   .command = words.subspan(kDriverArguments)};
}

void Open(const Arguments& arguments, Loader& loader, Speaker& speaker) {
  const std::string folder = arguments.loader.substr(0, arguments.loader.rfind('/'));
  std::vector<std::string> files = {arguments.loader};
  for (std::size_t i = 0; i < arguments.front_bytes.size(); ++i) files.push_back(PathOf(i));
  const absl::Status confined = ConfineDriver({.folders = {folder},
                                               .files = std::move(files),
                                               .cpu_seconds = arguments.cpu_seconds,
                                               .stand_ins = arguments.front_bytes.size()});
  if (!confined.ok()) speaker.Cannot(std::string(confined.message()));
  speaker.Enter(RehearsalStage::kOpen);
  if (const std::string problem = OpenLoader(arguments.loader, loader); !problem.empty()) {
    speaker.Cannot("the loader cannot be opened: " + problem);
  }
  UseRealLookup(reinterpret_cast<void*>(loader.ggml_backend_reg_get_proc_address),
                !arguments.repacks);
  StartBackends(loader);
  // Such a loader refuses every model, so its refusal would not be about this one.
  if (loader.ggml_backend_dev_count != nullptr && loader.ggml_backend_dev_count() == 0) {
    speaker.Cannot("the loader finds no backend in its folder");
  }
  if (loader.llama_version != nullptr) {
    const char* const text = loader.llama_version();
    speaker.Version(std::string("llama.cpp ") + (text != nullptr ? text : ""));
  } else if (loader.ggml_version != nullptr) {
    const char* const text = loader.ggml_version();
    speaker.Version(std::string("ggml ") + (text != nullptr ? text : ""));
  }
}

void Free(const Session& session, Context* context) {
  session.speaker.Enter(RehearsalStage::kFree);
  if (context != nullptr) session.llama.llama_free(context);
  session.llama.llama_model_free(session.model);
}

// LoadModel returns null if the loader refuses the model.
Model* LoadModel(const Session& session) {
  const Loader& llama = session.llama;
  std::vector<std::string> paths;
  std::vector<const char*> names;
  for (std::size_t i = 0; i < session.shards; ++i) paths.push_back(PathOf(i));
  for (const std::string& path : paths) names.push_back(path.c_str());
  if (names.size() == 1) {
    return llama.llama_model_load_from_file(names.front(), llama.llama_model_default_params());
  }
  if (llama.llama_model_load_from_splits == nullptr) {
    session.speaker.Cannot("this release has no llama_model_load_from_splits: rehearse one file");
  }
  return llama.llama_model_load_from_splits(names.data(), names.size(),
                                            llama.llama_model_default_params());
}

void LoadAdapters(Session& session) {
  const Loader& llama = session.llama;
  if (session.adapters == 0) return;
  session.speaker.Enter(RehearsalStage::kAdapter);
  if (llama.llama_adapter_lora_init == nullptr ||
      (llama.llama_set_adapters_lora == nullptr && llama.llama_set_adapter_lora == nullptr)) {
    session.speaker.Cannot("the library has no functions for LoRA adapters");
  }
  for (std::size_t i = 0; i < session.adapters; ++i) {
    Adapter* const adapter =
        llama.llama_adapter_lora_init(session.model, PathOf(session.shards + i).c_str());
    if (adapter == nullptr) session.speaker.Refused();
    session.loaded.push_back(adapter);
  }
}

// Play runs the stages up to `last`.
void Play(Session& session, RehearsalStage last) {
  const Loader& llama = session.llama;
  session.speaker.Enter(RehearsalStage::kLoad);
  session.model = LoadModel(session);
  if (session.model == nullptr) session.speaker.Refused();
  ReadModel(session);
  LoadAdapters(session);
  if (last == RehearsalStage::kLoad) return Free(session, nullptr);
  session.vocab = llama.llama_model_get_vocab(session.model);
  session.tokens = llama.llama_vocab_n_tokens(session.vocab);
  session.speaker.Enter(RehearsalStage::kVocabulary);
  ReadVocabulary(session);
  session.speaker.Enter(RehearsalStage::kTemplate);
  ApplyTemplates(session);
  session.speaker.Enter(RehearsalStage::kContext);
  Context* const context = MakeContext(session);
  if (last != RehearsalStage::kContext) Compute(session, context, last);
  Free(session, context);
}

int Main(std::span<char* const> words) {
  Speaker speaker;
  const std::optional<Arguments> arguments = Read(words);
  if (!arguments || !speaker.Begin()) return kDriverCannot;
  if (!arguments->loader.starts_with('/')) speaker.Cannot("the loader's path is not absolute");
  if (!arguments->command.empty()) {
    RunCommand({.program = arguments->loader,
                .words = arguments->command,
                .front_bytes = arguments->front_bytes.front(),
                .repacks = arguments->repacks,
                .cpu_seconds = arguments->cpu_seconds},
               speaker);
  }
  for (std::size_t i = 0; i < arguments->front_bytes.size(); ++i) {
    ReplaceWeights(DescriptorOf(i), kDriverZeros, arguments->front_bytes.at(i));
  }
  Loader loader;
  Open(*arguments, loader, speaker);
  Session session{.llama = loader,
                  .speaker = speaker,
                  .prompt_tokens = static_cast<unsigned>(arguments->tokens),
                  .shards = arguments->front_bytes.size() - arguments->adapters,
                  .adapters = arguments->adapters};
  Play(session, arguments->last_stage);
  if (WeightsWereLeft()) speaker.Note("the weights were not repacked");
  speaker.Finished();
}

}  // namespace

void ReadModel(const Session& session) {
  const Loader& llama = session.llama;
  std::array<char, 4096> text{};
  if (llama.llama_model_desc != nullptr) {
    llama.llama_model_desc(session.model, text.data(), text.size());
  }
  if (llama.llama_model_meta_count == nullptr || llama.llama_model_meta_key_by_index == nullptr ||
      llama.llama_model_meta_val_str_by_index == nullptr) {
    return;
  }
  const std::int32_t count = llama.llama_model_meta_count(session.model);
  for (std::int32_t i = 0; i < count; ++i) {
    llama.llama_model_meta_key_by_index(session.model, i, text.data(), text.size());
    llama.llama_model_meta_val_str_by_index(session.model, i, text.data(), text.size());
  }
}

}  // namespace ggufgate::driver

// An uncaught exception of the loader aborts, as in a C program.
int main(int argc, char** argv) {
  GGUFGATE_AUDITED_BEGIN  // as the system passes them
      const std::span<char* const>
          words(argv, static_cast<std::size_t>(argc));
  GGUFGATE_AUDITED_END
  return ggufgate::driver::Main(words);
}
