// ggufgate verify: compares a model with its manifest.

#include <memory>
#include <vector>

#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/usage/suggest.h"
#include "manifest/difference.h"

namespace ggufgate {
namespace {

constexpr std::string_view kVerifyFooter = R"(EXIT STATUS
    0  the file matches the manifest
    1  it does not match, or it is rejected
    2  the file or the manifest could not be read, or the command was wrong

EXAMPLES
    ggufgate verify model.gguf model.manifest.json
        Which tensors differ?
    ggufgate verify --content renamed.gguf model.manifest.json
        Is it the same model, written by another tool?
)";

struct VerifyOptions {
  std::string path;
  std::string manifest;
  std::string format = "text";
  bool content = false;
  bool despite_findings = false;
};

absl::StatusOr<ExpectedModel> ExpectedIn(const std::string& path) {
  const absl::StatusOr<Input> input = Input::Open(path);
  if (!input.ok()) return input.status();
  const std::uint64_t size = input->source().size();
  if (size > kLongestManifestFile) {
    return absl::ResourceExhaustedError("this is not a manifest: it is too large");
  }
  std::vector<std::uint8_t> bytes(size);
  const ReadOutcome outcome = input->source().ReadAt(0, bytes);
  if (!outcome.complete()) return StatusOf(outcome);
  if (absl::Status unchanged = input->Unchanged(); !unchanged.ok()) return unchanged;
  return ReadManifest(AsText(bytes));
}

int Verify(const VerifyOptions& options, const Streams& streams) {
  const absl::StatusOr<ExpectedModel> expected = ExpectedIn(options.manifest);
  if (!expected.ok()) return ComplainOf(options.manifest, expected.status(), streams);
  int code = kExitUndecided;
  const std::optional<JudgedFile> judged =
      OpenJudged(options.path, options.despite_findings, "it was not verified", streams, code);
  if (!judged) return code;
  const absl::StatusOr<ModelManifest> found =
      MakeManifest(judged->read.document(), judged->input.source());
  if (!found.ok()) return ComplainOf(options.path, found.status(), streams);
  if (absl::Status unchanged = judged->input.Unchanged(); !unchanged.ok()) {
    return ComplainOf(options.path, unchanged, streams);
  }
  const Comparison comparison{.command = "verify",
                              .from = options.manifest,
                              .to = options.path,
                              .differences = DifferencesFrom(*expected, *found, options.content)};
  (options.format == "json" ? WriteDifferencesJson : WriteDifferencesText)(comparison, streams.out);
  return comparison.differences.empty() ? kExitAccept : kExitReject;
}

}  // namespace

void AddVerifyCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<VerifyOptions>();
  Command command = app.AddSubcommand(
      "verify",
      "compare a model with its manifest\n"
      "Shows the differences between a model and its manifest: the whole file, its metadata, or "
      "the tensors that differ. The manifest is from `ggufgate manifest`, or from llama-gguf-hash "
      "--sha256, which covers only tensor data.");
  command.Footer(kVerifyFooter);
  command.AddOption("FILE", options->path, "The model; - for standard input.")
      .Required()
      .NotEmpty();
  command.AddOption("MANIFEST", options->manifest, "Its manifest.").Required().NotEmpty();
  command.AddChoice("-f,--format", options->format, "Print text (default) or json.",
                    {"text", "json"});
  command.AddFlag("--content", options->content,
                  "Compare only metadata and tensors, not their places in the file.");
  AddDespiteFindings(command, options->despite_findings, "Compare");
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] {
      for (const std::string& path : {options->path, options->manifest}) {
        if (IsFolder(path)) return NotOneFile("verify", path, streams);
      }
      return GuardedAndConfined(
          {options->path, options->manifest}, [&] { return Verify(*options, streams); }, streams);
    };
  });
}

}  // namespace ggufgate
