// ggufgate policy: shows the contents of a policy file. Also the option --policy of other commands.

#include "cli/policy.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gate/reading/policy_text.h"
#include "policy/policy_file.h"
#include "policy/policy_text.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

constexpr std::string_view kPolicyFooter = R"(EXIT STATUS
    0  the policy is valid
    2  it is invalid or could not be read, or the command was wrong

EXAMPLES
    ggufgate policy print > policy.toml
        A policy to start with: each setting with its default.
    ggufgate policy check policy.toml
        The errors in a policy, with line and column.
)";

std::optional<Profile> ProfileFor(const std::string& word) {
  const auto found = std::ranges::find(kProfileWords, word);
  if (found == kProfileWords.end()) return std::nullopt;
  return static_cast<Profile>(found - kProfileWords.begin());
}

void PrintProblems(const std::vector<TextProblem>& problems, const std::string& path,
                   const Streams& streams) {
  for (const TextProblem& problem : problems) {
    streams.error << WithoutCommand(EscapeText(path)) << ':' << problem.at.line << ':'
                  << problem.at.column << ": " << EscapeText(problem.what) << '\n';
  }
  if (problems.size() >= kMostPolicyProblems) {
    streams.error << WithoutCommand(EscapeText(path)) << ": there may be more\n";
  }
}

// WithPolicy calls `work` with the requested policy, confined.
int WithPolicy(const PolicyOptions& options, const Streams& streams,
               const std::function<void(const Policy&)>& work) {
  const std::optional<std::string> text = PolicyText(options, streams);
  if (!text) return kExitUndecided;
  const auto confined = [&] {
    const std::optional<Policy> policy = PolicyIn(*text, options, streams);
    if (!policy) return kExitUndecided;
    work(*policy);
    return kExitAccept;
  };
  return GuardedAndConfined({}, confined, streams);
}

void AddPrint(Command command, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<PolicyOptions>();
  Command print = command.AddSubcommand(
      "print",
      "print the complete policy as a policy file\nPrints the settings of the file, and the "
      "defaults of the profile for all others. Each limit has its unit and its reason. The output "
      "is a valid policy file with the same meaning.");
  AddPolicyOptions(print, *options);
  print.OnChosen([options, &streams, &run] {
    run = [options, &streams] {
      return WithPolicy(*options, streams,
                        [&](const Policy& policy) { PrintPolicy(policy, streams.out); });
    };
  });
}

void AddCheck(Command command, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<PolicyOptions>();
  Command check = command.AddSubcommand("check",
                                        "check a policy file\nPrints each problem with its line "
                                        "and column, and nothing if the file is valid.");
  check.AddOption("FILE", options->path, "A policy file.").Required().NotEmpty();
  check.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return WithPolicy(*options, streams, [](const Policy&) {}); };
  });
}

}  // namespace

void AddPolicyOptions(Command command, PolicyOptions& options) {
  command
      .AddOption("--policy", options.path,
                 "Use this policy file (docs/policy.md). Options of the command line override it.")
      .CheckedBy([](const std::string& path) {
        return path.empty() ? std::string("the name of the policy file is empty") : std::string();
      })
      .ShownAs("FILE");
  command.AddChoice(
      "--profile", options.profile,
      "gate: reject files that are malformed or dangerous, and warn about files that llama.cpp "
      "does not load (default).\nllama.cpp: the rules of llama.cpp v0.5.0: accept files that it "
      "loads safely.\nspec: the published specification, literally; not for a gate.\ndiffusion: "
      "for image and "
      "video models, whose loaders need fewer keys.",
      {kProfileWords.begin(), kProfileWords.end()});
}

std::optional<std::string> PolicyText(const PolicyOptions& options, const Streams& streams) {
  if (options.path.empty()) return std::string();
  absl::StatusOr<std::string> text = ReadPolicyFile(options.path);
  if (text.ok()) return *std::move(text);
  streams.error << "ggufgate: policy " << EscapeText(options.path) << ": "
                << EscapeText(std::string(text.status().message())) << '\n';
  return std::nullopt;
}

std::optional<Policy> PolicyIn(const std::string& text, const PolicyOptions& options,
                               const Streams& streams) {
  const std::optional<Profile> profile = ProfileFor(options.profile);
  if (options.path.empty()) return PolicyFor(profile.value_or(Profile::kGate));
  ParsedPolicy parsed = ParsePolicy(text, profile);
  if (!parsed.problems.empty()) {
    PrintProblems(parsed.problems, options.path, streams);
    return std::nullopt;
  }
  parsed.policy.source = options.path;
  return std::move(parsed.policy);
}

void AddPolicyCommand(Command app, const Streams& streams, ChosenCommand& run) {
  Command command =
      app.AddSubcommand("policy", "show or check a policy: severities, limits and exceptions");
  command.Footer(kPolicyFooter);
  command.RequireSubcommand();
  AddPrint(command, streams, run);
  AddCheck(command, streams, run);
}

}  // namespace ggufgate
