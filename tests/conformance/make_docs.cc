// make-docs writes docs/rules.md from the catalogue, with the gate's output for the corpus, and the
// end of docs/mutator.md from the list of mutations.
//
//   make-docs FOLDER          writes FOLDER/rules.md, and FOLDER/mutator.md after its marker
//   make-docs --check FOLDER  exit code 1 if one of them is out of date

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/judge_all.h"
#include "report/reporter.h"
#include "report/rules_page.h"
#include "tests/conformance/corpus.h"
#include "tests/conformance/mutation_page.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

// NameOf returns the path of a corpus file in its folder: "magic.html.gguf".
std::string NameOf(const CorpusFile& file) { return file.path.substr(file.path.find('/') + 1); }

bool ShowsBreachOf(const CorpusFile& file, const std::string& slug) {
  const std::string name = NameOf(file);
  if (!name.starts_with(slug) || file.path.starts_with("regression/")) return false;
  const std::string rest = name.substr(slug.size());
  return (rest.empty() || rest.front() == '.' || rest.front() == '/') &&
         rest.find("near-miss") == std::string::npos;
}

// CandidatesFor lists the files that were made to break a rule, the simplest first.
std::vector<CorpusFile> CandidatesFor(const std::string& slug) {
  std::vector<CorpusFile> files;
  std::ranges::copy_if(Corpus(), std::back_inserter(files),
                       [&](const CorpusFile& file) { return ShowsBreachOf(file, slug); });
  std::ranges::sort(
      files, {}, [](const CorpusFile& file) { return std::pair(NameOf(file).size(), file.path); });
  return files;
}

// PathsOf returns the files to check together: each set of shards has a separate folder.
std::vector<std::string> PathsOf(const CorpusFile& file) {
  fs::path path = CorpusFolder() / file.path;
  if (NameOf(file).find('/') != std::string::npos) path = path.parent_path();
  if (!fs::is_directory(path)) return {path.string()};
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

// FirstBreach returns the report on a file with only the first finding of a rule, or nullopt if
// there is none.
std::optional<FileReport> FirstBreach(const CorpusFile& file, RuleId rule, Profile profile) {
  JudgeOptions options;
  options.policy = file.PolicyIn(profile);
  std::optional<FileReport> breach;
  JudgeAll(PathsOf(file), options, 1, [&](FileReport report) {
    const auto found = std::ranges::find(report.findings.list, rule, &Finding::rule);
    if (found == report.findings.list.end() || breach) return;
    report.findings.list = {*found};
    report.findings.totals.clear();
    report.verdict = Verdict::kReject;
    breach = std::move(report);
  });
  return breach;
}

std::string TextOf(const FileReport& report) {
  std::ostringstream out;
  const ReportStyle style{.colour = false, .quiet = false, .verbose = true};
  MakeReporter(Format::kText, Policy{}, style, out)->Add(report);
  return out.str().substr(out.str().find('\n') + 1);  // without the line about the file
}

std::string CommandFor(const CorpusFile& file, Profile profile, Severity severity) {
  std::string command = "ggufgate check";
  if (severity == Severity::kNote) command += " --verbose";
  if (profile != Profile::kGate) {
    command += " --profile " + std::string(kProfileWords.at(static_cast<std::size_t>(profile)));
  }
  if (file.data != "none") command += " --data " + file.data;
  const bool in_folder = NameOf(file).find('/') != std::string::npos;
  command += " corpus/" + (in_folder ? file.path.substr(0, file.path.rfind('/')) : file.path);
  for (const auto& [name, value] : file.limits) {
    command += "   # limit " + name + " = " + std::to_string(value);
  }
  return command;
}

RuleExample ExampleOf(const Rule& rule) {
  for (const Profile profile :
       {Profile::kGate, Profile::kSpec, Profile::kLlamaCpp, Profile::kDiffusion}) {
    for (const CorpusFile& file : CandidatesFor(std::string(rule.slug))) {
      const std::optional<FileReport> breach = FirstBreach(file, rule.id, profile);
      if (!breach) continue;
      return {.command = CommandFor(file, profile, breach->findings.list.front().severity),
              .output = TextOf(*breach)};
    }
  }
  return {};
}

std::string RulesPage() {
  std::ostringstream out;
  out << "<!-- Made by make-docs of the catalogue and the corpus; see CONTRIBUTING.md. -->\n\n";
  WriteRulesPage(out, ExampleOf);
  return out.str();
}

std::string ContentOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// MutatorPage returns the hand-written part, and after the marker the list of mutations.
std::string MutatorPage(const fs::path& path) {
  constexpr std::string_view kMarker =
      "<!-- Behind this line: made by make-docs of src/mutate/mutations; see CONTRIBUTING.md. "
      "-->\n";
  const std::string there = ContentOf(path);
  return there.substr(0, there.find(kMarker)) + std::string(kMarker) + MutationPage();
}

bool IsFresh(const fs::path& path, const std::string& page, const std::string& program) {
  const std::string there = ContentOf(path);
  if (there == page) return true;
  const auto differs = std::ranges::mismatch(there, page);
  const auto line = std::count(there.begin(), differs.in1, '\n') + 1;
  std::cerr << path.string() << ": stale from line " << line
            << " on; nothing is written by hand there, run: " << program << " docs\n";
  return false;
}

int Check(const fs::path& folder, const std::string& program) {
  bool good = IsFresh(folder / "rules.md", RulesPage(), program);
  good &= IsFresh(folder / "mutator.md", MutatorPage(folder / "mutator.md"), program);
  for (const std::string& slug : UnreasonedLies()) {
    std::cerr << "src/mutate/mutations: " << slug
              << " may be answered by several rules: say why in a comment right above it\n";
    good = false;
  }
  return good ? 0 : 1;
}

bool WriteInto(const fs::path& path, const std::string& page) {
  std::ofstream out(path, std::ios::binary);
  out << page;
  out.close();
  if (!out) std::cerr << "cannot write " << path.string() << '\n';
  return !out.fail();
}

int Write(const fs::path& folder) {
  const std::string mutator = MutatorPage(folder / "mutator.md");
  return WriteInto(folder / "rules.md", RulesPage()) && WriteInto(folder / "mutator.md", mutator)
             ? 0
             : 2;
}

}  // namespace
}  // namespace ggufgate::testing

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1) return ggufgate::testing::Write(arguments.at(0));
  if (arguments.size() == 2 && arguments.at(0) == "--check") {
    return ggufgate::testing::Check(arguments.at(1), *argv);
  }
  std::cerr << "usage: make-docs [--check] FOLDER\n";
  return 2;
}
