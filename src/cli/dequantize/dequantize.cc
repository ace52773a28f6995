// ggufgate dequantize: writes one tensor as floats, for NumPy and for people.

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "absl/strings/str_format.h"
#include "cli/command_line.h"
#include "cli/dequantize/figures.h"
#include "cli/dequantize/rows.h"
#include "cli/dequantize/statistics_text.h"
#include "cli/dequantize/tensor_list.h"
#include "cli/into_file.h"
#include "cli/judged_file.h"
#include "cli/output_file.h"
#include "cli/usage/suggest.h"
#include "dequantize/npy.h"
#include "dequantize/statistics.h"
#include "gate/tensor_floats.h"
#include "gate/threads/thread_team.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::string_view kDequantizeFooter = R"(EXIT STATUS
    0  the tensor was decoded
    1  the file is rejected, and nothing was decoded
    2  the file could not be read, has no such tensor, or the command was wrong

EXAMPLES
    ggufgate dequantize model.gguf blk.0.attn_q.weight --stats
        The statistics of its values.
    ggufgate dequantize model.gguf blk.0.attn_q.weight --output q.npy
        For numpy.load("q.npy").
    ggufgate dequantize --stats model.gguf
        The statistics of all tensors, one line each.
    ggufgate dequantize model.gguf output.weight --rows 9:19 --output some.f32
        Ten rows, as plain numbers.
)";

struct DequantizeOptions {
  std::string path;
  std::string tensor;
  bool all = false;  // no tensor was named
  std::string output;
  std::string rows;
  std::string format = "text";
  unsigned jobs = 0;  // 0: one per processor
  bool stats = false;
  bool despite_findings = false;
};

// --- from chunks to a file and statistics --------------------------------------------------------

// WriteFloats writes floats in the format of a file, little-endian.
void WriteFloats(std::span<const float> floats, std::ostream& out) {
  if constexpr (internal::kHostIsLittle) {
    out.write(reinterpret_cast<const char*>(floats.data()),
              static_cast<std::streamsize>(floats.size_bytes()));
  } else {
    std::array<std::uint8_t, sizeof(float)> bytes{};
    for (const float value : floats) {
      Store(value, ByteOrder::kLittle, bytes);
      out << AsText(bytes);
    }
  }
}

// HeaderFor returns the text before the floats. A range of rows is a matrix, for any tensor.
std::string HeaderFor(const DequantizeOptions& options, const TensorFloats& tensor, RowRange rows) {
  if (!options.output.ends_with(".npy")) return "";
  if (options.rows.empty()) return NpyHeader(tensor.Shape());
  return NpyHeader(std::vector<std::uint64_t>{rows.end - rows.first, tensor.row_elements()});
}

// HistogramOf decodes the tensor again, because it needs the range of the values.
absl::StatusOr<Histogram> HistogramOf(const TensorFloats& tensor, RowRange rows, unsigned jobs,
                                      const Statistics& statistics) {
  const Histogram empty(statistics.min(), statistics.max());
  std::vector<Histogram> parts(jobs, empty);
  const TensorFloats::Receivers receivers{
      .at_once =
          [&](const TensorFloats::Chunk& chunk) {
            // Each chunk has a separate histogram, because threads would compete for the cache
            // lines of a common one.
            Histogram part = empty;
            part.Add(chunk.floats);
            parts.at(chunk.worker).Merge(part);
            return absl::OkStatus();
          },
      .in_turn = [](const TensorFloats::Chunk&) { return absl::OkStatus(); }};
  if (absl::Status status = tensor.Decode(rows, jobs, receivers); !status.ok()) return status;
  Histogram all = empty;
  for (const Histogram& part : parts) all.Merge(part);
  return all;
}

// SayWhatIsNotFinite warns about NaN and infinite values.
void SayWhatIsNotFinite(const std::string& name, const Statistics& statistics,
                        const Streams& streams) {
  if (statistics.nan() + statistics.infinite() == 0) return;
  streams.error << "ggufgate: " << EscapeText(name) << ": of " << Grouped(statistics.count())
                << " values " << Grouped(statistics.nan()) << " are NaN and "
                << Grouped(statistics.infinite()) << " infinite\n";
}

unsigned JobsFor(const DequantizeOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

// HoldsFloats tells whether a file name means a file of tensor values.
bool HoldsFloats(std::string_view output) {
  return output.ends_with(".npy") || output.ends_with(".f32");
}

// OutputIsReport tells whether --output names the file for the report of --stats. A text report on
// one tensor goes to standard output, so that a misspelt .npy is an error.
bool OutputIsReport(const DequantizeOptions& options) {
  return options.stats && !HoldsFloats(options.output) && (options.all || options.format != "text");
}

absl::Status DecodeInto(std::ostream* file, const TensorFloats& tensor, RowRange rows,
                        const DequantizeOptions& options, const Streams& streams) {
  const unsigned jobs = JobsFor(options);
  if (file != nullptr) *file << HeaderFor(options, tensor, rows);
  Figures figures(jobs);
  const TensorFloats::Receivers receivers{
      .at_once =
          [&](const TensorFloats::Chunk& chunk) {
            figures.AtOnce(chunk);
            return absl::OkStatus();
          },
      .in_turn =
          [&](const TensorFloats::Chunk& chunk) {
            figures.InTurn(chunk);
            if (file == nullptr) return absl::OkStatus();
            WriteFloats(chunk.floats, *file);
            return *file ? absl::OkStatus() : absl::UnavailableError("cannot write the output");
          }};
  if (absl::Status status = tensor.Decode(rows, jobs, receivers); !status.ok()) return status;
  SayWhatIsNotFinite(options.tensor, figures.all(), streams);
  if (!options.stats) return absl::OkStatus();
  if (options.format == "json") {
    PrintStatisticsAsJson(
        {{.tensor = &tensor.info(), .type = tensor.type().name, .statistics = figures.all()}},
        options.path, streams.out);
    return absl::OkStatus();
  }

  std::optional<Histogram> histogram;
  if (figures.all().finite() > 0) {
    absl::StatusOr<Histogram> made = HistogramOf(tensor, rows, jobs, figures.all());
    if (!made.ok()) return made.status();
    histogram = *made;
  }
  streams.out << WithoutCommand(EscapeText(options.tensor)) << "  " << tensor.type().name << '\n';
  PrintStatistics(figures.all(), histogram, streams.out);
  return absl::OkStatus();
}

// TellOfAll prints statistics of every tensor.
absl::Status TellOfAll(const Document& document, const ByteSource& source,
                       const DequantizeOptions& options, const Streams& streams) {
  const auto all = StatisticsOfAll(document, source, JobsFor(options));
  if (!all.ok()) return all.status();
  if (options.format == "json") {
    PrintStatisticsAsJson(*all, options.path, streams.out);
  } else {
    PrintStatisticsOf(*all, streams.out);
  }
  const auto spoilt = std::ranges::count_if(*all, [](const TensorStatistics& one) {
    return one.statistics.nan() + one.statistics.infinite() > 0;
  });
  if (spoilt > 0) {
    streams.error << "ggufgate: " << Grouped(static_cast<std::uint64_t>(spoilt)) << " of "
                  << Grouped(all->size()) << " tensors have values that are NaN or infinite\n";
  }
  return absl::OkStatus();
}

// NoSuchTensor prints an error with the most similar name.
int NoSuchTensor(const Document& document, const DequantizeOptions& options,
                 const Streams& streams) {
  std::vector<std::string_view> names;
  for (const TensorInfo& tensor : document.tensors) names.push_back(tensor.name);
  streams.error << "ggufgate: " << EscapeText(options.tensor) << ": there is no such tensor"
                << DidYouMean(options.tensor, names) << '\n';
  return kExitUndecided;
}

// FlushInto returns the exit code after it has written everything to `file`, which may be nullptr.
int FlushInto(OutputFile* file, const DequantizeOptions& options, const Streams& streams) {
  if (file == nullptr) return kExitAccept;
  const absl::Status flushed = file->Flush();
  return flushed.ok() ? kExitAccept : ComplainOf(options.output, flushed, streams);
}

// Decode runs confined. `output` was opened before.
int Decode(const DequantizeOptions& options, OutputFile* output, const Streams& terminal) {
  const bool report = output != nullptr && OutputIsReport(options);
  OutputFile* const file = report ? nullptr : output;
  const Streams streams{.out = report ? output->stream() : terminal.out,
                        .error = terminal.error,
                        .colour = terminal.colour};
  int code = kExitUndecided;
  const std::optional<JudgedFile> judged = OpenJudged(options.path, options.despite_findings,
                                                      "the tensor was not decoded", streams, code);
  if (!judged) return code;
  const Input& input = judged->input;
  const Document& document = judged->read.document();
  if (options.all) {
    absl::Status status = TellOfAll(document, input.source(), options, streams);
    if (status.ok()) status = input.Unchanged();
    if (!status.ok()) return ComplainOf(options.path, status, streams);
    return FlushInto(output, options, streams);
  }
  const absl::StatusOr<TensorFloats> tensor =
      TensorFloats::Find(document, input.source(), options.tensor);
  if (absl::IsNotFound(tensor.status())) return NoSuchTensor(document, options, streams);
  if (!tensor.ok()) return ComplainOf(options.tensor, tensor.status(), streams);
  const absl::StatusOr<RowRange> rows = RowsFor(options.rows, tensor->row_count());
  if (!rows.ok()) return ComplainOf(options.tensor, rows.status(), streams);

  std::ostream* const stream = file != nullptr ? &file->stream() : nullptr;
  absl::Status status = DecodeInto(stream, *tensor, *rows, options, streams);
  if (status.ok()) status = input.Unchanged();
  if (!status.ok()) return ComplainOf(options.path, status, streams);
  return FlushInto(output, options, streams);
}

int RunDequantize(const DequantizeOptions& options, const Streams& streams) {
  if (IsFolder(options.path)) return NotOneFile("dequantize", options.path, streams);
  const bool floats = HoldsFloats(options.output);
  if (options.all && (!options.stats || floats || !options.rows.empty())) {
    return WrongUsage("dequantize",
                      "TENSOR is required; only --stats also works without it, for all tensors",
                      streams);
  }
  if (options.output.empty() ? !options.stats : !floats && !OutputIsReport(options)) {
    return WrongUsage("dequantize",
                      "dequantize needs --stats, or --output with a name that ends with .npy or "
                      ".f32",
                      streams);
  }
  return ConfinedWithOutput(
      options.path, options.output == "-" ? "" : options.output,
      [&](OutputFile* file) { return Decode(options, file, streams); }, streams);
}

}  // namespace

void AddDequantizeCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<DequantizeOptions>();
  Command command = app.AddSubcommand(
      "dequantize",
      "convert a tensor to floats\nDecodes one tensor to the same floats as ggml, and writes them, "
      "or prints statistics. The file is checked first. A rejected file is not decoded, unless "
      "--despite-findings is given. NaN and infinite values are reported on standard error.");
  command.Footer(kDequantizeFooter);
  command.AddOption("FILE", options->path, "A file, or - for standard input.")
      .Required()
      .NotEmpty();
  const CommandOption tensor = command.AddOption(
      "TENSOR", options->tensor, "The name of the tensor. Without it, --stats prints all tensors.");
  command
      .AddOption(
          "-o,--output", options->output,
          "Write float32 values, little-endian, in the order of the file: with a header for "
          "NumPy (.npy, slowest dimension first) or without (.f32). With --stats for all "
          "tensors, or with --format json, FILE gets the statistics if its name does not end "
          "in .npy or .f32; - is standard output.")
      .ShownAs("FILE");
  command
      .AddOption("--rows", options->rows,
                 "Only the rows from A to B, without B. The first dimension is the length of a "
                 "row. A or B may be absent.")
      .ShownAs("A:B");
  command.AddFlag("--stats", options->stats,
                  "Print minimum, maximum, mean, standard deviation, a histogram, and the numbers "
                  "of zeros, NaN and infinite values.");
  command.AddChoice("-f,--format", options->format, "Print --stats as text (default) or json.",
                    {"text", "json"});
  command
      .AddOption("-j,--jobs", options->jobs,
                 "Use N threads (default: one per processor). Each thread needs 256 MiB of address "
                 "space; if it is limited, fewer threads run.")
      .Within(1, ThreadTeam::kMost)
      .ShownAs("N");
  AddDespiteFindings(command, options->despite_findings, "Decode");
  command.OnChosen([options, tensor, &streams, &run] {
    options->all = !tensor.Given();
    run = [options, &streams] { return RunDequantize(*options, streams); };
  });
}

}  // namespace ggufgate
