// Files of contracts: every invalid line is an error with its number.

#include "check/rules/contract/table/parse_contracts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/rules/contracts_file.h"

namespace ggufgate::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// A small valid block.
constexpr std::string_view kBlock =
    "architecture llama spm\n"
    "key context_length,embedding_length u32 64 d\n"
    "key rope.freq_base f32 10000.0 d\n"
    "key norms [bool] 1,0 d\n"
    "tensor token_embd.weight F32 64,v d required\n"
    "required d context_length\n"
    "condition rotated-odd,rope-scaling-type aborts load\n"
    "scaled blk.*.ffn_up.weight\n"
    "role kernel token_embd.weight\n"
    "sought unread rope_freqs.weight\n"
    "unfit blk.*.attn_qkv.weight\n"
    "rows output.weight token_embd.weight\n"
    "first embedding_length\n"
    "shape embedding_length,tokens token_embd.weight\n"
    "shape 2*key_width*kv_heads/2|?,1 blk.*.a.weight\n"
    "used blk.*.a.weight|blk.*.b.weight blk.*.c.weight !blk.*.d.weight\n"
    "next blk.*.nextn.enorm.weight\n"
    "unadapted blk.*.ffn_up.weight\n"
    "load divides-by-dimensions\n";

std::string File(std::string_view blocks = kBlock) {
  return ContractsFile("llama.cpp v9", std::string(blocks));
}

// ProblemOf returns "LINE: what"; empty for a valid file.
std::string ProblemOf(std::string text) {
  const ParsedContracts parsed = ParseContracts(std::move(text), "");
  EXPECT_EQ(parsed.table == nullptr, parsed.problem.has_value());
  if (!parsed.problem) return "";
  return std::to_string(parsed.problem->line) + ": " + parsed.problem->what;
}

TEST(ParseContracts, ReadsATable) {
  const ParsedContracts parsed = ParseContracts(
      File(std::string(kBlock) + Replaced(std::string(kBlock), "llama spm", "novel bpe")), "abc");
  ASSERT_NE(parsed.table, nullptr) << parsed.problem->line << ": " << parsed.problem->what;
  const ContractTable& table = *parsed.table;
  EXPECT_EQ(table.release(), "llama.cpp v9");
  EXPECT_EQ(table.sha256(), "abc");
  EXPECT_FALSE(table.IsCompiledIn());
  ASSERT_EQ(table.All().size(), 2U);
  EXPECT_EQ(table.Find("llama"), table.All().data());
  EXPECT_EQ(table.Find("novel")->vocabulary, "bpe");
  EXPECT_THAT(BlockText(*table.Find("novel")), EndsWith("\nload divides-by-dimensions\n"));
  for (const char* name : {"", "lla", "llama ", "mistral", "zebra"}) {
    EXPECT_EQ(table.Find(name), nullptr) << name;
  }
}

TEST(ParseContracts, ReadsTheContractsThatAreCompiledIn) {
  const auto table = TableOf(CompiledInText());
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->All().size(), AllContracts().size());
  for (const Contract& contract : AllContracts()) {
    const Contract* found = table->Find(contract.architecture);
    ASSERT_NE(found, nullptr) << contract.architecture;
    EXPECT_EQ(BlockText(*found), BlockText(contract));
    EXPECT_EQ(ContractTable::CompiledIn().Find(contract.architecture), &contract);
  }
  EXPECT_EQ(ContractTable::CompiledIn().release(), kContractRelease);
  EXPECT_EQ(ContractTable::CompiledIn().All().data(), AllContracts().data());
}

// Assumptions of the rules.
TEST(ParseContracts, EveryLineThatIsCompiledInIsSound) {
  for (const Contract& contract : AllContracts()) {
    const std::optional<ContractProblem> problem = ProblemIn(contract);
    EXPECT_FALSE(problem) << contract.architecture << ":" << problem->line << ": " << problem->what;
    EXPECT_EQ(std::ranges::count(kContractVocabularies, contract.vocabulary), 1);
  }
}

TEST(ParseContracts, NamesTheLineOfAnInvalidHead) {
  for (const char* text :
       {"", "ggufgate contracts 2\n", "GGUF\x03", "\xEF\xBB\xBFggufgate contracts 1\n"}) {
    EXPECT_EQ(ProblemOf(text),
              "1: this is no file of contracts: expected \"ggufgate contracts 1\"");
  }
  EXPECT_EQ(ProblemOf("ggufgate contracts 1"), "1: expected a line end");
  EXPECT_THAT(ProblemOf("ggufgate contracts 1\nend 0\n"),
              HasSubstr("2: expected \"release NAME\""));
  for (const std::string& release :
       {std::string("release \n"), std::string("release  x\n"), std::string("Release x\n"),
        "release " + std::string(65, 'x') + "\n"}) {
    EXPECT_THAT(ProblemOf("ggufgate contracts 1\n" + release + std::string(kBlock) + "end 1\n"),
                HasSubstr("2: expected \"release NAME\""))
        << release;
  }
  EXPECT_EQ(ProblemOf("ggufgate contracts 1\nrelease " + std::string(64, 'x') + "\n" +
                      std::string(kBlock) + "end 1\n"),
            "");
  EXPECT_THAT(ProblemOf(File("")), HasSubstr("3: expected \"architecture NAME VOCABULARY\""));
}

TEST(ParseContracts, NamesTheLineOfAnInvalidCharacter) {
  for (const char bad : {'\0', '\r', '\t', '\x1b', '\x7f', '\x80'}) {
    std::string text = File();
    text.insert(text.find("tensor"), 1, bad);
    EXPECT_THAT(ProblemOf(text), HasSubstr("7: expected printable ASCII characters, not byte 0x"));
  }
  std::string text = File();
  text.pop_back();
  EXPECT_EQ(ProblemOf(text), "22: expected a line end");
}

// Without its last conditions, a table accepts models that crash.
TEST(ParseContracts, NoticesThatAFileWasCutShort) {
  const std::string whole = File();
  for (std::size_t end = whole.find('\n'); end + 1 < whole.size();
       end = whole.find('\n', end + 1)) {
    EXPECT_THAT(ProblemOf(whole.substr(0, end + 1)), HasSubstr("the file was cut short")) << end;
  }
  EXPECT_EQ(ProblemOf(Replaced(whole, "end 1", "end 2")),
            "22: expected \"end 1\", the number of architectures");
  EXPECT_THAT(ProblemOf(Replaced(whole, "end 1", "end 01")), HasSubstr("22: expected \"end 1\""));
  EXPECT_THAT(ProblemOf(whole + "end 1\n"), HasSubstr("22: unknown word \"end\""));
}

TEST(ParseContracts, NamesTheLineOfAnInvalidArchitecture) {
  const std::string block(kBlock);
  for (const char* line : {"architecture llama", "architecture  spm", "architecture llama spx",
                           "architecture llama spm ", "architecture llama spm x", "llama spm"}) {
    EXPECT_THAT(ProblemOf(File(Replaced(block, "architecture llama spm", line))),
                HasSubstr("3: expected \"architecture NAME VOCABULARY\""))
        << line;
  }
  EXPECT_THAT(ProblemOf(File(block + block)), HasSubstr("22: expected architectures in the order"));
  EXPECT_THAT(ProblemOf(File(block + Replaced(block, "llama", "lala"))),
              HasSubstr("22: expected architectures in the order"));
  EXPECT_EQ(ProblemOf(File(block + Replaced(block, "llama", "llama2"))), "");
  // The block of the first one is empty.
  EXPECT_THAT(ProblemOf(File("architecture a spm\n" + block)),
              HasSubstr("3: the block has no line \"key\""));
}

// Changed is a line of kBlock and an invalid version of it.
struct Changed {
  std::string line;
  std::string now;
  std::string problem;  // a part
};

std::vector<Changed> InvalidLines() {
  const std::string names(5000, 'x');
  return {
      {"norms [bool] 1,0 d", "norms [bool] 1,2 d", "6: expected values of the type"},
      {"norms [bool] 1,0 d", "norms bool 1,0 d", "6: expected values of the type"},
      {"norms [bool] 1,0 d", "norms [bool] 1, d", "6: expected values of the type"},
      {"f32 10000.0 d", "f32 x d", "5: expected values of the type"},
      {"f32 10000.0 d", "f33 1.0 d", "5: expected \"key NAME,"},
      {"f32 10000.0 d", "f32  1.0 d", "5: expected words that are separated by one space"},
      {"f32 10000.0 d", "f32 1.0 dd", "5: expected \"key NAME,"},
      {"key context_length,embedding_length", "key context_length,", "4: expected \"key NAME,"},
      {"key context_length,embedding_length", "key a,,b", "4: expected \"key NAME,"},
      {"key context_length,embedding_length", "keys a", "4: unknown word \"keys\""},
      {"64,v d required", "64,v d", "7: expected \"tensor NAME,"},
      {"64,v d required", "64,0 d required", "7: expected \"tensor NAME,"},
      {"64,v d required", "64,v d optional", "has no required tensor"},
      {"required d context_length", "required d", "8: expected \"required FORMS"},
      {"required d context_length", "required x context_length", "8: expected \"required FORMS"},
      {"rotated-odd,rope", "rotated-odd,rotated-even,rope",
       "9: unknown condition \"rotated-even\""},
      {"rotated-odd,rope-scaling-type", "rotated-odd,rotated-odd",
       "9: condition \"rotated-odd\" is repeated"},
      {"aborts load", "stops load", "9: expected \"condition NAME,"},
      {"aborts load", "aborts loading", "9: expected \"condition NAME,"},
      {"aborts load", "aborts load 1", "9: expected \"condition NAME,"},
      {"scaled blk.*.ffn_up.weight", "scaled", "10: expected \"scaled NAME"},
      {"scaled blk.*.ffn_up.weight", "scaled blk.*.*.x", "10: expected a name with at most one"},
      {"scaled blk.*.ffn_up.weight", "scaled blk*x.b", "10: expected a name with at most one"},
      {"role kernel token_embd.weight", "role Kernel token_embd.weight",
       "11: expected \"role ROLE"},
      {"role kernel token_embd.weight", "role kernel", "11: expected \"role ROLE"},
      {"kernel token_embd.weight", "kernel blk.0.attn_q.weight",
       "11: expected \"*\" instead of the number in \"blk.0.attn_q.weight\""},
      {"sought unread", "sought unred", "12: expected \"sought REASON"},
      {"sought unread", "sought", "12: expected \"sought REASON"},
      {"unread rope_freqs.weight", "unread", "12: expected \"sought REASON"},
      {"sought unread rope_freqs.weight", "sought unread token_embd.weight",
       "12: \"token_embd.weight\" is repeated"},
      {"unfit blk.*.attn_qkv.weight", "unfit rope_freqs.weight",
       "13: \"rope_freqs.weight\" is repeated"},
      {"rows output.weight token_embd.weight", "rows output.weight",
       "14: expected \"rows NAME NAME\""},
      {"rows output.weight token_embd.weight", "rows blk.*.a b", "14: expected \"rows NAME NAME\""},
      {"first embedding_length", "first", "15: expected \"first KEY"},
      {"embedding_length,tokens", "embeding_length,tokens", "16: expected dimensions of the keys"},
      {"embedding_length,tokens", "embedding_length,", "16: expected dimensions of the keys"},
      {"embedding_length,tokens", "1,1,1,1,1", "16: expected dimensions of the keys"},
      {"2*key_width*kv_heads/2", "2*2*key_width*kv_heads", "17: expected dimensions of the keys"},
      {"2*key_width*kv_heads/2", "2*key_width/0", "17: expected dimensions of the keys"},
      {"2*key_width*kv_heads/2", "-2*key_width", "17: expected dimensions of the keys"},
      {"2*key_width*kv_heads/2", "99999999999999999999", "17: expected dimensions of the keys"},
      {"2*key_width*kv_heads/2|?", "1|1|1|1|1|1|1|1|1", "17: expected dimensions of the keys"},
      {"!blk.*.d.weight", "!", "18: expected \"used NAME"},
      {"blk.*.c.weight !blk.*.d.weight", "", "18: expected words"},
      {"!blk.*.d.weight", "blk.*.d.weight x", "18: expected \"used NAME"},
      {"|blk.*.b.weight", "|b|c|d|e", "18: expected \"used NAME"},
      {"blk.*.c.weight !", "b|c !", "18: expected \"used NAME"},
      {"next blk.*.nextn.enorm.weight", "next blk.0.nextn.enorm.weight",
       "19: expected \"next NAME"},
      {"next blk.*.nextn.enorm.weight", "next none x", "19: expected \"next NAME"},
      {"next blk.*.nextn.enorm.weight", "", "19: unknown word \"\""},
      {"next blk.*.nextn.enorm.weight", "required d x",
       "19: lines of the word \"required\" must be consecutive"},
      {"unadapted blk.*.", "unadapted blk.1.", "20: expected \"*\" instead of the number"},
      {"divides-by-dimensions", "divides-by-zero", "21: expected \"load divides-by-dimensions\""},
      {"load divides-by-dimensions", "load", "21: expected \"load divides-by-dimensions\""},
      {"scaled blk.*.ffn_up.weight", "scaled " + names,
       "10: too many bytes in the line; at most 4096"}};
}

TEST(ParseContracts, NamesTheLineThatIsInvalid) {
  ASSERT_EQ(ProblemOf(File()), "");
  for (const Changed& changed : InvalidLines()) {
    EXPECT_THAT(ProblemOf(File(Replaced(std::string(kBlock), changed.line, changed.now))),
                HasSubstr(changed.problem))
        << changed.now;
  }
}

// Near misses of the lines above.
TEST(ParseContracts, AcceptsTheNearestValidLines) {
  for (const auto& [line, now] : std::vector<std::pair<const char*, const char*>>{
           {"norms [bool] 1,0 d", "norms [bool] 1 d"},
           {"!blk.*.d.weight", "blk.*.d.weight"},
           {" !blk.*.d.weight", ""},
           {"next blk.*.nextn.enorm.weight", "next none"},
           {"next blk.*.nextn.enorm.weight\n", ""},
           {"load divides-by-dimensions\n", ""},
           {"2*key_width*kv_heads/2|?", "1|1|1|1|1|1|1|1"},
           {"embedding_length,tokens", "1,1,1,1"},
           {"|blk.*.b.weight", "|b|c|d"},
           {"aborts load", "exhausts embeddings"}}) {
    EXPECT_EQ(ProblemOf(File(Replaced(std::string(kBlock), line, now))), "") << now;
  }
}

// Repeated returns a line `count` times.
std::string Repeated(std::string_view line, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line;
  return text;
}

TEST(ParseContracts, LimitsTheWorkOfTheRules) {
  const auto with = [](std::string_view line, std::size_t count) {
    return ProblemOf(File(Replaced(std::string(kBlock), line, Repeated(line, count))));
  };
  EXPECT_EQ(with("used blk.*.a.weight|blk.*.b.weight blk.*.c.weight !blk.*.d.weight\n", 31), "");
  EXPECT_THAT(with("used blk.*.a.weight|blk.*.b.weight blk.*.c.weight !blk.*.d.weight\n", 32),
              HasSubstr("too many lines used and rows in the block; at most 32"));
  EXPECT_THAT(with("first embedding_length\n", 17), HasSubstr("at most 16"));
  EXPECT_THAT(with("next blk.*.nextn.enorm.weight\n", 65), HasSubstr("at most 64"));
  EXPECT_EQ(with("shape embedding_length,tokens token_embd.weight\n", 4), "");
  EXPECT_THAT(with("shape embedding_length,tokens token_embd.weight\n", 5),
              HasSubstr("too many shapes of one tensor; at most 4"));
  EXPECT_THAT(with("key rope.freq_base f32 10000.0 d\n", 500),
              HasSubstr("too many lines in the block; at most 400"));
  EXPECT_THAT(with("tensor token_embd.weight F32 64,v d required\n", 380), "");
  EXPECT_THAT(with("tensor token_embd.weight F32 64,v d required\n", 386),
              HasSubstr("too many lines in the block"));
  std::string large = File();
  large.resize(kLongestContractsFile + 1, '\n');
  EXPECT_EQ(ProblemOf(large), "1: the file is too large; at most 4 MiB");
}

}  // namespace
}  // namespace ggufgate::testing
