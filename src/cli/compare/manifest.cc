// ggufgate manifest: the hashes of all parts of a model.

#include <memory>

#include "cli/command_line.h"
#include "cli/into_file.h"
#include "cli/judged_file.h"
#include "cli/output_file.h"
#include "cli/usage/suggest.h"
#include "manifest/manifest_text.h"

namespace ggufgate {
namespace {

constexpr std::string_view kManifestFooter = R"(EXIT STATUS
    0  the manifest was written
    1  the file is rejected, and nothing was hashed
    2  the file could not be read, or the command was wrong

EXAMPLES
    ggufgate manifest model.gguf --output model.manifest.json
        For `ggufgate verify`, later or on another machine.
    ggufgate manifest --format gguf-hash model.gguf > model.sha256
        For `llama-gguf-hash --check model.sha256 model.gguf`.
)";

struct ManifestOptions {
  std::string path;
  std::string format = "json";
  std::string output;  // empty: standard output
  bool despite_findings = false;
};

// Make runs confined. `file` was opened before.
int Make(const ManifestOptions& options, OutputFile* file, const Streams& streams) {
  int code = kExitUndecided;
  const std::optional<JudgedFile> judged =
      OpenJudged(options.path, options.despite_findings, "no manifest was made", streams, code);
  if (!judged) return code;
  const absl::StatusOr<ModelManifest> manifest =
      MakeManifest(judged->read.document(), judged->input.source());
  if (!manifest.ok()) return ComplainOf(options.path, manifest.status(), streams);
  if (absl::Status unchanged = judged->input.Unchanged(); !unchanged.ok()) {
    return ComplainOf(options.path, unchanged, streams);
  }
  const auto write = options.format == "json" ? &WriteManifestJson : &WriteGgufHash;
  write(*manifest, options.path, file != nullptr ? file->stream() : streams.out);
  if (file == nullptr) return kExitAccept;
  const absl::Status flushed = file->Flush();
  return flushed.ok() ? kExitAccept : ComplainOfOutput(options.output, flushed, streams);
}

int RunManifest(const ManifestOptions& options, const Streams& streams) {
  if (IsFolder(options.path)) return NotOneFile("manifest", options.path, streams);
  const std::string output = options.output == "-" ? "" : options.output;
  return ConfinedWithOutput(
      options.path, output, [&](OutputFile* file) { return Make(options, file, streams); },
      streams);
}

}  // namespace

void AddManifestCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<ManifestOptions>();
  Command command =
      app.AddSubcommand("manifest",
                        "hash a model and each part of it\nWrites the SHA-256 of the file, of its "
                        "metadata, and of each tensor with its type and shape. It also writes a "
                        "root hash over metadata and tensors, which does not depend on their place "
                        "in the file. The file is checked first; a rejected file is not hashed.");
  command.Footer(kManifestFooter);
  command.AddOption("FILE", options->path, "A file, or - for standard input.")
      .Required()
      .NotEmpty();
  command.AddChoice("-f,--format", options->format,
                    "Print json (default), or lines as from llama-gguf-hash --sha256.",
                    {"json", "gguf-hash"});
  command
      .AddOption("-o,--output", options->output,
                 "Write to FILE instead of standard output (-). The file appears only when it is "
                 "complete, and replaces an older one.")
      .ShownAs("FILE");
  AddDespiteFindings(command, options->despite_findings, "Hash");
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return RunManifest(*options, streams); };
  });
}

}  // namespace ggufgate
