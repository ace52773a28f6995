// ggufgate generate: writes a tiny model of an architecture, which llama.cpp loads and decodes.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "cli/command_line.h"
#include "cli/generate/template_programs.h"
#include "cli/into_file.h"
#include "cli/usage/suggest.h"
#include "format/contracts/contract.h"
#include "format/tensors/tensor_type.h"
#include "mutate/generate/learned_model.h"
#include "mutate/generate/learned_vocabulary.h"
#include "report/table.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

constexpr std::string_view kGenerateFooter = R"(EXIT STATUS
    0  the file was written
    2  it could not be written, or the command was wrong; an older file with
       that name is unchanged

EXAMPLES
    ggufgate generate --architecture qwen3 --output qwen3.gguf
        A model of qwen3, to test a loader.
    ggufgate generate --architecture qwen3moe --type Q8_0 --output q8.gguf
        A model with experts (as always for qwen3moe) and quantised matrices.
    ggufgate generate --list
        All architectures.
    ggufgate generate --templates 1000 --seed 7 --output programs.jsonl
        Chat templates, to test an engine.
)";

struct GenerateOptions {
  std::string architecture;
  std::string vocabulary;  // empty: the vocabulary of the contract
  std::string type;        // empty: F32
  std::string output;
  bool experts = false;
  bool optional = false;
  bool list = false;
  TemplateOptions templates;
};

// --- words ---------------------------------------------------------------------------------------

// NoSuch prints that a word is unknown, with the most similar one.
int NoSuch(std::string_view what, const std::string& word, std::span<const std::string_view> words,
           std::string_view advice, const Streams& streams) {
  streams.error << "ggufgate: there is no " << what << ' ' << Quoted(word)
                << DidYouMean(word, {words.begin(), words.end()}) << '\n'
                << advice << '\n';
  return kExitUndecided;
}

std::vector<std::string_view> ArchitectureWords() {
  std::vector<std::string_view> words;
  for (const Contract& contract : AllContracts()) words.push_back(contract.architecture);
  return words;
}

std::vector<std::string_view> VocabularyWords() {
  std::vector<std::string_view> words;
  for (const mutate::VocabularyWord& one : mutate::kVocabularyWords) words.push_back(one.word);
  return words;
}

std::vector<std::string_view> TypeWords() {
  std::vector<std::string_view> words;
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    if (RunsInMatrices(info.type)) words.push_back(info.name);
  }
  return words;
}

std::string Listed(std::span<const std::string_view> words) {
  std::string text = "There are";
  for (const std::string_view word : words) text.append(" ").append(word);
  return text + ".";
}

// --- the list ------------------------------------------------------------------------------------

// FormsText describes the forms with experts, or those without.
std::string FormsText(ContractForms forms, ContractForm bare, ContractForm whole) {
  if (!forms.Has(bare)) return forms.Has(whole) ? "optional only" : "";
  return forms.Has(whole) ? "plain, optional" : "plain";
}

int PrintList(std::ostream& out) {
  Table table(std::vector<Table::Align>(4, Table::Align::kLeft));
  table.Add({"architecture", "vocabulary", "without experts", "with experts"});
  for (const Contract& contract : AllContracts()) {
    const ContractForms forms = FormsOf(contract);
    table.Add({std::string(contract.architecture), std::string(contract.vocabulary),
               FormsText(forms, ContractForm::kDense, ContractForm::kWholeDense),
               FormsText(forms, ContractForm::kExperts, ContractForm::kWholeExperts)});
  }
  table.Print(out);
  return kExitAccept;
}

// --- the file ------------------------------------------------------------------------------------

int NoSuchForm(const Contract& contract, const GenerateOptions& options, const Streams& streams) {
  streams.error << "ggufgate: no " << contract.architecture
                << (options.experts ? " with experts" : "")
                << (options.experts && options.optional ? " and" : "")
                << (options.optional ? " with all optional tensors" : "") << " ran in tests with "
                << kContractRelease << "\nTry 'ggufgate generate --list'.\n";
  return kExitUndecided;
}

int RunGenerate(const GenerateOptions& options, const Streams& streams) {
  const bool of_model = !options.architecture.empty() || !options.vocabulary.empty() ||
                        !options.type.empty() || options.experts || options.optional;
  const TemplateOptions& templates = options.templates;
  if (options.list) {
    const bool more = of_model || !options.output.empty() || templates.count > 0;
    return more ? WrongUsage(
                      "generate",
                      "generate --list writes no file; it cannot be combined with other options",
                      streams)
                : PrintList(streams.out);
  }
  if (templates.count > 0) {
    if (of_model)
      return WrongUsage("generate", "generate makes a model or --templates, not both", streams);
    if (options.output.empty())
      return WrongUsage("generate", "generate needs --output FILE", streams);
    return WriteTemplatePrograms(templates, options.output, streams);
  }
  if (templates.broken || templates.seed_option->Given()) {
    return WrongUsage("generate", "generate needs --templates COUNT with --seed and --broken",
                      streams);
  }
  if (options.architecture.empty())
    return WrongUsage("generate", "generate needs --architecture NAME, --templates COUNT or --list",
                      streams);
  if (options.output.empty())
    return WrongUsage("generate", "generate needs --output FILE", streams);

  const Contract* contract = FindContract(options.architecture);
  if (contract == nullptr) {
    return NoSuch("architecture", options.architecture, ArchitectureWords(),
                  "Try 'ggufgate generate --list'.", streams);
  }
  const std::string kind =
      options.vocabulary.empty() ? std::string(contract->vocabulary) : options.vocabulary;
  const std::optional<TokenizerKind> vocabulary = mutate::FindVocabulary(kind);
  if (!vocabulary) {
    return NoSuch("kind of vocabulary", kind, VocabularyWords(), Listed(VocabularyWords()),
                  streams);
  }
  const TensorTypeInfo* type =
      FindTensorTypeNamed(options.type.empty() ? "F32" : absl::AsciiStrToUpper(options.type));
  if (type == nullptr || !RunsInMatrices(type->type)) {
    return NoSuch("type for matrices", options.type, TypeWords(), Listed(TypeWords()), streams);
  }
  const auto form = mutate::SimplestForm(*contract, options.experts, options.optional);
  if (!form) return NoSuchForm(*contract, options, streams);

  const Model model = mutate::MakeLearned(
      {.contract = contract, .form = *form, .vocabulary = *vocabulary, .type = type->type});
  if (mutate::MatricesOf(model, type->type) == 0) {
    streams.error << "ggufgate: no matrix of " << contract->architecture << " can be " << type->name
                  << ": row lengths must be a multiple of " << type->block_elements << "\n";
    return kExitUndecided;
  }
  const std::vector<std::uint8_t> bytes = Write(model);
  return IntoFile(options.output, [&](std::ostream& out) { out << AsText(bytes); }, streams);
}

void AddModelOptions(Command command, GenerateOptions& options) {
  command
      .AddOption("--architecture", options.architecture,
                 "The value of general.architecture; --list shows all.")
      .ShownAs("NAME");
  command
      .AddOption("--vocabulary", options.vocabulary,
                 "The kind of vocabulary (default: see --list): SentencePiece, byte pairs, word "
                 "pieces, unigrams, RWKV World, PLaMo-2.")
      .ShownAs("spm|bpe|wpm|ugm|rwkv|plamo2");
  command.AddFlag("--experts", options.experts,
                  "Add experts. Architectures that require experts always have them.");
  command.AddFlag("--optional", options.optional,
                  "Add all optional tensors that the loader supports.");
  command
      .AddOption("--type", options.type,
                 "The type of the weight matrices (default: F32). Norms, biases, convolutions, "
                 "routers and other small tensors stay F32. So does a matrix whose row length "
                 "(mostly 64) is not a multiple of the block length of the type. It is an error if "
                 "no matrix can have the type.")
      .ShownAs("TYPE");
}

void AddTemplateOptions(Command command, TemplateOptions& options) {
  command
      .AddOption("--templates", options.count,
                 "Make COUNT chat templates instead of a model, one JSON object per line. Jinja2, "
                 "with its sandbox and loopcontrols, renders each of them without an error for any "
                 "chat that has a message with text.")
      .ShownAs("COUNT")
      .Within(1, 500'000);
  options.seed_option = command
                            .AddOption("--seed", options.seed,
                                       "The seed of the first template (default: 1). Each further "
                                       "template has the next number.")
                            .ShownAs("NUMBER");
  command.AddFlag("--broken", options.broken,
                  "Each template breaks a rule; its line names the rule.");
}

}  // namespace

void AddGenerateCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<GenerateOptions>();
  Command command =
      app.AddSubcommand("generate",
                        "make a tiny model of an architecture, or chat templates\n"
                        "Writes a small file, usually less than a megabyte, that " +
                            std::string(kContractRelease) +
                            " loads and decodes. It has the values, tensors and vocabulary that "
                            "this release requires. Its weights look random, and its output has no "
                            "meaning. The same command makes the same file on every machine.");
  command.Footer(kGenerateFooter);
  AddModelOptions(command, *options);
  command
      .AddOption("-o,--output", options->output,
                 "Write to FILE, or to standard output (-). The file appears only when it is "
                 "complete, and replaces an older one.")
      .ShownAs("FILE")
      .NotEmpty();
  AddTemplateOptions(command, options->templates);
  command.AddFlag("--list", options->list, "Make nothing; list the architectures.");
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return RunGenerate(*options, streams); };
  });
}

}  // namespace ggufgate
