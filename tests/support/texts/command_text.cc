#include "tests/support/texts/command_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/texts/patterns.h"

namespace ggufgate::testing {
namespace {

constexpr int kNoJsonschema = 77;

// Next removes one character from the front of `text`. It returns nullopt if the front is not
// UTF-8. It is written from RFC 3629, independently of the project's decoder.
std::optional<char32_t> Next(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || size > text.size()) return std::nullopt;
  char32_t c = size == 1 ? lead : lead & (0x7FU >> size);
  for (const char byte : text.substr(1, size - 1)) {
    if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80) return std::nullopt;
    c = (c << 6) | (static_cast<unsigned char>(byte) & 0x3F);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kLeast.at(size) || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return std::nullopt;
  text.remove_prefix(size);
  return c;
}

struct CodePoints {
  char32_t first, last;
};

// Bidirectional controls, invisible characters, and C0, DEL and C1.
constexpr std::array kHarmful = {
    CodePoints{0x00, 0x09},       CodePoints{0x0B, 0x1F},       CodePoints{0x7F, 0x9F},
    CodePoints{0xAD, 0xAD},       CodePoints{0x34F, 0x34F},     CodePoints{0x61C, 0x61C},
    CodePoints{0x115F, 0x1160},   CodePoints{0x17B4, 0x17B5},   CodePoints{0x180B, 0x180F},
    CodePoints{0x200B, 0x200F},   CodePoints{0x2028, 0x202E},   CodePoints{0x2060, 0x206F},
    CodePoints{0x3164, 0x3164},   CodePoints{0xFE00, 0xFE0F},   CodePoints{0xFEFF, 0xFEFF},
    CodePoints{0xFFA0, 0xFFA0},   CodePoints{0xFFF9, 0xFFFB},   CodePoints{0x1BCA0, 0x1BCA3},
    CodePoints{0x1D173, 0x1D17A}, CodePoints{0xE0000, 0xE0FFF},
};

// CommandIn finds text that log viewers treat as a command in the middle of a line.
std::size_t CommandIn(std::string_view text) {
  for (std::size_t at = text.find("##"); at != std::string_view::npos;
       at = text.find("##", at + 1)) {
    std::size_t end = at + 2;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end < text.size() && text[end] == '[') return at;
  }
  return std::string_view::npos;
}

}  // namespace

::testing::AssertionResult IsHarmless(std::string_view text) {
  const std::string_view whole = text;
  if (const std::size_t at = CommandIn(text); at != std::string_view::npos) {
    return ::testing::AssertionFailure() << "a command at byte " << at << " of: " << whole;
  }
  while (!text.empty()) {
    const std::size_t at = whole.size() - text.size();
    const std::optional<char32_t> c = Next(text);
    if (!c) return ::testing::AssertionFailure() << "not UTF-8 at byte " << at << " of: " << whole;
    if (std::ranges::any_of(kHarmful,
                            [&](CodePoints r) { return *c >= r.first && *c <= r.last; })) {
      return ::testing::AssertionFailure()
             << "character " << std::hex << static_cast<std::uint32_t>(*c) << std::dec
             << " at byte " << at << " of: " << whole;
    }
  }
  return ::testing::AssertionSuccess();
}

namespace {

std::string SchemaPath(const std::string& name) {
  return std::string(GGUFGATE_SOURCE_DIR) + "/docs/schema/" + name + ".schema.json";
}

constexpr const char* kSarifSchema =
    GGUFGATE_SCHEMAS_DIR "/sarif/package/lib/schemas/sarif-2.1.0-rtm.5.json";
constexpr const char* kJunitSchema =
    GGUFGATE_SCHEMAS_DIR "/junit/package/test/resources/jenkins-junit.xsd";

// Validate validates a document against a schema. `more` are further arguments of the validator.
CommandResult Validate(const std::string& document, const std::string& schema,
                       const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {
      std::string(GGUFGATE_SOURCE_DIR) + "/tests/cli/validate_json.py", schema};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunProgram(GGUFGATE_PYTHON, arguments,
                    {.input = document, .environment = {"PYTHONDONTWRITEBYTECODE=1"}});
}

::testing::AssertionResult Holds(const CommandResult& result, const std::string& document) {
  if (result.exit_code == 0) return ::testing::AssertionSuccess();
  constexpr std::size_t kShown = 20'000;
  return ::testing::AssertionFailure()
         << result.out << result.error << "in: " << document.substr(0, kShown);
}

}  // namespace

::testing::AssertionResult FitsSchema(const std::string& document, const std::string& name) {
  return Holds(Validate(document, SchemaPath(name)), document);
}

::testing::AssertionResult FitsSchemaByLine(const std::string& document, const std::string& name,
                                            const std::string& definition) {
  return Holds(Validate(document, SchemaPath(name), {"--lines", definition}), document);
}

::testing::AssertionResult FitsSarif(const std::string& document) {
  return Holds(Validate(document, kSarifSchema), document);
}

::testing::AssertionResult FitsJunit(const std::string& document) {
  return Holds(RunProgram(GGUFGATE_XMLLINT, {"--noout", "--nonet", "--schema", kJunitSchema, "-"},
                          {.input = document}),
               document);
}

bool HaveSchemas() {
  return std::filesystem::exists(kSarifSchema) && std::filesystem::exists(kJunitSchema);
}

bool CanValidate() { return Validate("{}", SchemaPath("report-1")).exit_code != kNoJsonschema; }

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string WithoutTimes(const std::string& text) {
  std::string without =
      ReplaceAll(text, "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", "TIME");
  without = ReplaceAll(without, R"("elapsed_ms":[0-9.e+-]+)", R"("elapsed_ms":TIME)");
  without = ReplaceAll(without, R"|( time="[0-9.]+")|", R"( time="TIME")");
  return ReplaceAll(without, "[0-9]+(\\.[0-9])? m?s\n", "TIME\n");
}

}  // namespace ggufgate::testing
