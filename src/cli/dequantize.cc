// ggufgate dequantize: one tensor as floats, for NumPy and for the eye.

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <thread>

#include "absl/strings/str_format.h"
#include "check/rule.h"
#include "cli/command_line.h"
#include "cli/output_file.h"
#include "cli/statistics_text.h"
#include "dequantize/npy.h"
#include "dequantize/statistics.h"
#include "gate/judge.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "gate/tensor_floats.h"
#include "gate/threads/thread_team.h"
#include "report/reporter.h"
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
        What kind of numbers are in it?
    ggufgate dequantize model.gguf blk.0.attn_q.weight --output q.npy
        For numpy.load("q.npy").
    ggufgate dequantize model.gguf output.weight --rows 9:19 --output some.f32
        Ten rows, as bare numbers.
)";

struct DequantizeOptions {
  std::string path;
  std::string tensor;
  std::string output;
  std::string rows;
  unsigned jobs = 0;  // 0: one for each processor
  bool stats = false;
  bool despite_findings = false;
};

int Complain(std::string_view subject, const absl::Status& status, const Streams& streams) {
  streams.error << "ggufgate: " << EscapeText(subject) << ": "
                << EscapeText(std::string(status.message())) << '\n';
  return kExitUndecided;
}

// --- is the file fit to be decoded ---------------------------------------------------------------

// SaysWhereDataLie tells of a rule without which nobody knows where the data lie, or whose they
// are.
bool SaysWhereDataLie(const Finding& finding) {
  switch (RuleOf(finding.rule).family) {
    case Family::kContainer:
    case Family::kTensorDirectory:
    case Family::kDataLayout:
    case Family::kResources:
      return true;
    default:
      return false;
  }
}

// RefusedFor gives the exit code when the file is not to be decoded, and says why. Either byte
// order will do: we can read both.
std::optional<int> RefusedFor(const Input& input, const DequantizeOptions& options,
                              const Streams& streams) {
  JudgeOptions judge;
  judge.policy.target = TargetOrder::kAny;
  const FileReport report = JudgeInput(input, options.path, judge);
  if (report.verdict == Verdict::kAccept) return std::nullopt;
  const ReportStyle style{.colour = false, .quiet = true, .verbose = false};
  const auto reporter = MakeReporter(Format::kText, judge.policy, style, streams.error);
  reporter->Add(report);
  reporter->Finish();
  if (report.verdict == Verdict::kUndecided) return kExitUndecided;

  const bool lost = std::ranges::any_of(report.findings.list, [](const Finding& finding) {
    return finding.severity == Severity::kError && SaysWhereDataLie(finding);
  });
  if (!lost && options.despite_findings) return std::nullopt;
  streams.error << "ggufgate: the tensor was not decoded"
                << (lost ? "\n" : "; --despite-findings decodes it anyway\n");
  return kExitReject;
}

// RowsFor understands "A:B", either of which may be left out.
absl::StatusOr<RowRange> RowsFor(std::string_view words, std::uint64_t row_count) {
  RowRange rows{.first = 0, .end = row_count};
  if (words.empty()) return rows;
  const std::size_t colon = words.find(':');
  const auto number = [](std::string_view text, std::uint64_t& out) {
    if (text.empty()) return true;
    const std::string_view::const_iterator end = text.end();
    const auto [stop, error] =
        std::from_chars(std::to_address(text.begin()), std::to_address(end), out);
    return error == std::errc() && stop == std::to_address(end);
  };
  if (colon == std::string_view::npos || !number(words.substr(0, colon), rows.first) ||
      !number(words.substr(colon + 1), rows.end)) {
    return absl::InvalidArgumentError("--rows must be A:B, two numbers");
  }
  if (rows.first > rows.end || rows.end > row_count) {
    return absl::OutOfRangeError(
        absl::StrFormat("--rows %s: the tensor has rows 0:%d", std::string(words), row_count));
  }
  return rows;
}

// --- from chunks to a file and figures -----------------------------------------------------------

// Figures gathers statistics, a part in each thread, joined in order: the same for any number.
class Figures {
 public:
  explicit Figures(unsigned jobs) : parts_(jobs) {}

  void AtOnce(const TensorFloats::Chunk& chunk) {
    parts_.at(chunk.worker) = Statistics();
    parts_.at(chunk.worker).Add(chunk.floats);
  }
  void InTurn(const TensorFloats::Chunk& chunk) { all_.Merge(parts_.at(chunk.worker)); }

  [[nodiscard]] const Statistics& all() const { return all_; }

 private:
  std::vector<Statistics> parts_;
  Statistics all_;
};

// WriteFloats writes them as they stand in a file, little-endian.
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

// HeaderFor is what stands before the floats. A part of the rows is a matrix, whatever the tensor.
std::string HeaderFor(const DequantizeOptions& options, const TensorFloats& tensor, RowRange rows) {
  if (!options.output.ends_with(".npy")) return "";
  if (options.rows.empty()) return NpyHeader(tensor.Shape());
  return NpyHeader(std::vector<std::uint64_t>{rows.end - rows.first, tensor.row_elements()});
}

// HistogramOf decodes once more, now that the range is known.
absl::StatusOr<Histogram> HistogramOf(const TensorFloats& tensor, RowRange rows, unsigned jobs,
                                      const Statistics& statistics) {
  const Histogram empty(statistics.min(), statistics.max());
  std::vector<Histogram> parts(jobs, empty);
  const TensorFloats::Receivers receivers{
      .at_once =
          [&](const TensorFloats::Chunk& chunk) {
            // Counted apart: counts of neighbours share lines, which threads would fight for.
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

// NotFinite says what nobody should overlook.
void SayWhatIsNotFinite(const std::string& name, const Statistics& statistics,
                        const Streams& streams) {
  if (statistics.nan() + statistics.infinite() == 0) return;
  streams.error << "ggufgate: " << EscapeText(name) << ": of " << Grouped(statistics.count())
                << " values " << Grouped(statistics.nan()) << " are NaN and "
                << Grouped(statistics.infinite()) << " infinite\n";
}

absl::Status DecodeInto(std::ostream* file, const TensorFloats& tensor, RowRange rows,
                        const DequantizeOptions& options, const Streams& streams) {
  const unsigned jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
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

  std::optional<Histogram> histogram;
  if (figures.all().finite() > 0) {
    absl::StatusOr<Histogram> made = HistogramOf(tensor, rows, jobs, figures.all());
    if (!made.ok()) return made.status();
    histogram = *made;
  }
  streams.out << EscapeText(options.tensor) << "  " << tensor.type().name << '\n';
  PrintStatistics(figures.all(), histogram, streams.out);
  return absl::OkStatus();
}

// Decode does all of it. Runs confined; `file` was opened before.
int Decode(const DequantizeOptions& options, OutputFile* file, const Streams& streams) {
  const JudgeOptions judge;
  const absl::StatusOr<Input> input = options.path == "-"
                                          ? Input::Spool(STDIN_FILENO, judge.most_spooled)
                                          : Input::Open(options.path);
  if (!input.ok()) return Complain(options.path, input.status(), streams);
  if (const std::optional<int> refused = RefusedFor(*input, options, streams)) return *refused;
  const absl::StatusOr<ReadDocument> read =
      ReadDocument::Read(input->source(), judge.policy.limits);
  if (!read.ok()) return Complain(options.path, read.status(), streams);
  const absl::StatusOr<TensorFloats> tensor =
      TensorFloats::Find(read->document(), input->source(), options.tensor);
  if (!tensor.ok()) return Complain(options.tensor, tensor.status(), streams);
  const absl::StatusOr<RowRange> rows = RowsFor(options.rows, tensor->row_count());
  if (!rows.ok()) return Complain(options.tensor, rows.status(), streams);

  std::ostream* const stream = file != nullptr ? &file->stream() : nullptr;
  absl::Status status = DecodeInto(stream, *tensor, *rows, options, streams);
  if (status.ok()) status = input->Unchanged();
  if (!status.ok()) return Complain(options.path, status, streams);
  if (file == nullptr) return kExitAccept;
  const absl::Status flushed = file->Flush();
  return flushed.ok() ? kExitAccept : Complain(options.output, flushed, streams);
}

int RunDequantize(const DequantizeOptions& options, const Streams& streams) {
  const bool known = options.output.ends_with(".npy") || options.output.ends_with(".f32");
  if (options.output.empty() ? !options.stats : !known) {
    streams.error << "ggufgate: dequantize needs --stats, or --output with a name that ends with "
                     ".npy or .f32\n";
    return kExitUndecided;
  }
  std::unique_ptr<OutputFile> file;
  if (!options.output.empty()) {
    auto created = OutputFile::Create(options.output, {options.path});
    if (!created.ok()) return Complain(options.output, created.status(), streams);
    file = *std::move(created);
  }
  const int code = GuardedAndConfined(
      {options.path}, [&] { return Decode(options, file.get(), streams); }, streams);
  if (code != kExitAccept || file == nullptr) return code;
  const absl::Status committed = file->Commit();
  return committed.ok() ? kExitAccept : Complain(options.output, committed, streams);
}

}  // namespace

void AddDequantizeCommand(CLI::App& app, const Streams& streams, RunCommand& run) {
  const auto options = std::make_shared<DequantizeOptions>();
  CLI::App* command = app.add_subcommand(
      "dequantize",
      "turn a tensor into floats\n"
      "Writes the values of one tensor as the reference decodes them, or tells about them. The "
      "file "
      "is checked first: nothing is decoded when an error leaves open where the data lie. Whatever "
      "is NaN or infinite is reported on standard error.");
  command->footer(std::string(kDequantizeFooter));
  command->add_option("FILE", options->path, "A file, or - for standard input.")->required();
  command->add_option("TENSOR", options->tensor, "The name of the tensor.")->required();
  command
      ->add_option(
          "--output", options->output,
          "Write float32 values, little-endian, in the order of the file: with a header for "
          "NumPy (.npy, slowest dimension first) or without (.f32).")
      ->option_text("FILE.npy|FILE.f32");
  command
      ->add_option("--rows", options->rows,
                   "Only rows A up to B, B not included; rows are what the first dimension of the "
                   "file is the length of. Either may be left out.")
      ->option_text("A:B");
  command->add_flag(
      "--stats", options->stats,
      "Print minimum, maximum, mean, standard deviation, the numbers of zeros, of NaN "
      "and of infinite values, and a histogram.");
  command
      ->add_option("--jobs", options->jobs,
                   "Decode with N threads (default: one a processor); with fewer where memory is "
                   "limited, so that each has 256 MiB of address space.")
      ->check(CLI::Range(1U, ThreadTeam::kMost))
      ->option_text("N");
  command->add_flag("--despite-findings", options->despite_findings,
                    "Decode in spite of errors that have nothing to do with where the data lie.");
  command->callback([options, &streams, &run] {
    run = [options, &streams] { return RunDequantize(*options, streams); };
  });
}

}  // namespace ggufgate
