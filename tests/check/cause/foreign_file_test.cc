#include "check/cause/foreign_file.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using Kind = Cause::Kind;
using namespace std::string_literals;

Kind CauseOf(std::string_view text, std::size_t at_least = 64) {
  std::string file(text);
  if (file.size() < at_least) file.resize(at_least, '\x7F');
  const Bytes bytes = AsBytes(file);
  const Judged judged = Judge(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  EXPECT_FALSE(judged.Accepted());
  return FirstCause(judged).kind;
}

TEST(ForeignFile, PagesPointersAndErrors) {
  EXPECT_EQ(CauseOf("<!DOCTYPE html>\n<html lang=\"en\">"), Kind::kHtml);
  EXPECT_EQ(CauseOf("  \r\n\t<HTML>"), Kind::kHtml);
  EXPECT_EQ(CauseOf("\xEF\xBB\xBF<html>"), Kind::kHtml);
  EXPECT_EQ(CauseOf("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code>"), Kind::kHtml);
  EXPECT_EQ(CauseOf("<head><title>"), Kind::kHtml);
  EXPECT_EQ(CauseOf("{\"error\":\"Repository not found\"}"), Kind::kJson);
  EXPECT_EQ(CauseOf("{\r\n  \"error\" : 1}"), Kind::kJson);
  EXPECT_EQ(CauseOf("[ {\"a\": 1} ]"), Kind::kJson);
  EXPECT_EQ(CauseOf("{}", 0), Kind::kJson);  // even if shorter than a header
  EXPECT_EQ(CauseOf("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n"),
            Kind::kLfsPointer);
}

TEST(ForeignFile, OtherText) {
  EXPECT_EQ(CauseOf("Entry not found"), Kind::kNone);
  EXPECT_EQ(CauseOf("<svg>"), Kind::kNone);
  EXPECT_EQ(CauseOf("<header>"), Kind::kNone);
  EXPECT_EQ(CauseOf("<!DOCTYPE svg>"), Kind::kNone);
  EXPECT_EQ(CauseOf("a <html>"), Kind::kNone);
  EXPECT_EQ(CauseOf("{% if x %}"), Kind::kNone);
  EXPECT_EQ(CauseOf("{\n  return 0;\n}"), Kind::kNone);
  EXPECT_EQ(CauseOf("[section]"), Kind::kNone);
  EXPECT_EQ(CauseOf("version 1.0"), Kind::kNone);
  EXPECT_EQ(CauseOf("   "), Kind::kNone);
}

TEST(ForeignFile, Text) {
  EXPECT_EQ(CauseOf("Entry not found", 0), Kind::kText);
  EXPECT_EQ(CauseOf("\t# Notes\r\n\fof Z\xC3\xBCrich\n", 0), Kind::kText);
  EXPECT_EQ(CauseOf(std::string(510, 'x') + "\xE2\x82\xAC", 0), Kind::kText);  // the examined part
                                                                               // ends inside it
  EXPECT_EQ(CauseOf("GGUE and more", 0), Kind::kText);

  EXPECT_EQ(CauseOf("Entry not found\x1B", 0), Kind::kNone);
  EXPECT_EQ(CauseOf("Entry not found\0"s, 0), Kind::kNone);
  EXPECT_EQ(CauseOf("Z\xFCrich, in Latin-1", 0), Kind::kNone);
  EXPECT_EQ(CauseOf(" \r\n\t \r\n", 0), Kind::kNone);
  EXPECT_EQ(CauseOf("GGU", 0), Kind::kNone);  // a truncated model
}

TEST(ForeignFile, PicturesAndDocuments) {
  EXPECT_EQ(CauseOf("\x89PNG\r\n\x1A\n"), Kind::kPicture);
  EXPECT_EQ(CauseOf("\xFF\xD8\xFF\xE0"), Kind::kPicture);
  EXPECT_EQ(CauseOf("GIF87a"), Kind::kPicture);
  EXPECT_EQ(CauseOf("GIF89a"), Kind::kPicture);
  EXPECT_EQ(CauseOf("%PDF-1.7\n"), Kind::kPdf);
  EXPECT_EQ(CauseOf("\x93NUMPY\x01"), Kind::kNumpy);

  EXPECT_EQ(CauseOf("\x89PNG\n\x1A\n"), Kind::kNone);
  EXPECT_EQ(CauseOf("\xFF\xD8\xFE\xE0"), Kind::kNone);
  EXPECT_EQ(CauseOf("GIF88a"), Kind::kNone);
  EXPECT_EQ(CauseOf("%PDF"), Kind::kNone);
}

TEST(ForeignFile, ArchivesAndCompressedFiles) {
  EXPECT_EQ(CauseOf("PK\x03\x04\x14"), Kind::kZip);
  EXPECT_EQ(CauseOf("PK\x05\x06"s + std::string(18, '\0'), 22), Kind::kZip);  // an empty one
  EXPECT_EQ(CauseOf("\x1F\x8B\x08"), Kind::kGzip);
  EXPECT_EQ(CauseOf("\x28\xB5\x2F\xFD"), Kind::kZstandard);
  EXPECT_EQ(CauseOf("\xFD"
                    "7zXZ\0"s),
            Kind::kXz);
  EXPECT_EQ(CauseOf("7z\xBC\xAF\x27\x1C"), Kind::kSevenZip);

  EXPECT_EQ(CauseOf("PK"), Kind::kNone);
  EXPECT_EQ(CauseOf("PK\x01\x02"), Kind::kNone);
  EXPECT_EQ(CauseOf("\x1F\x8B\x07"), Kind::kNone);
  EXPECT_EQ(CauseOf("\x28\xB5\x2F\xFC"), Kind::kNone);
  EXPECT_EQ(CauseOf("\xFD"
                    "7zXZx"s),
            Kind::kNone);
  EXPECT_EQ(CauseOf("7zipped"), Kind::kNone);
}

TEST(ForeignFile, Pickles) {
  EXPECT_EQ(CauseOf("\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9"), Kind::kPickle);  // old torch.save
  EXPECT_EQ(CauseOf("\x80\x03}q\x00"s), Kind::kPickle);
  EXPECT_EQ(CauseOf("\x80\x04\x95\x10"), Kind::kPickle);
  EXPECT_EQ(CauseOf("\x80\x05\x95\x10"), Kind::kPickle);

  EXPECT_EQ(CauseOf("\x80\x06\x95\x10"), Kind::kNone);
  EXPECT_EQ(CauseOf("\x80\x01}q"), Kind::kNone);
  EXPECT_EQ(CauseOf("\x80\x04\x00\x00"s), Kind::kNone);
}

TEST(ForeignFile, Safetensors) {
  const auto with_header = [](std::uint64_t length, std::string_view json) {
    Encoder file(ByteOrder::kLittle);
    file.Put(length).PutBytes(AsBytes(json)).PutZeros(64 - 8 - json.size());
    const std::vector<std::uint8_t> bytes = file.Take();
    return CauseOf(AsText(bytes));
  };
  EXPECT_EQ(with_header(56, "{\"__metadata__\":{}}"), Kind::kSafetensors);
  EXPECT_EQ(with_header(2, "{}"), Kind::kSafetensors);
  EXPECT_EQ(with_header(57, "{\"__metadata__\":{}}"), Kind::kNone);  // longer than the file
  EXPECT_EQ(with_header(56, "x\"__metadata__\":{}}"), Kind::kNone);
  EXPECT_EQ(with_header(56, "{%"), Kind::kNone);
}

TEST(ForeignFile, AGgufFileWithAnotherMagicIsNoneOfThese) {
  // The number of 123 tensors is the byte '{', with which the JSON of safetensors begins.
  Model model;
  for (int i = 0; i < 123; ++i) model.Add("t." + std::to_string(i), TensorType::kI8, {32});
  for (const std::string& magic : {"XGUF"s, "\0\0\0\0"s, "GGUX"s, "gguf"s, "\x80\x02\xFF\xFE"s}) {
    model.magic = magic;
    const Judged judged = Judge(model);
    EXPECT_THAT(judged.Rules(), ElementsAre("magic"));
    EXPECT_FALSE(FirstCause(judged)) << InfoOf(FirstCause(judged).kind).slug;
  }
}

TEST(ForeignFile, LegacyAndReversedMagic) {
  Model model = Model::Minimal();
  const auto cause = [&](const char* magic) {
    model.magic = magic;
    return FirstCause(Judge(model)).kind;
  };
  EXPECT_EQ(cause("lmgg"), Kind::kGgmlOrWhisper);
  for (const char* magic : {"ggml", "ggmf", "ggjt", "fmgg", "tjgg"}) {
    EXPECT_EQ(cause(magic), Kind::kLegacyGgml) << magic;
  }
  EXPECT_EQ(cause("FUGG"), Kind::kReversed);
  EXPECT_EQ(cause("GGML"), Kind::kNone);
  EXPECT_EQ(cause("ggmx"), Kind::kNone);
  EXPECT_EQ(cause("UFGG"), Kind::kNone);
}

TEST(ForeignFile, Llamafile) {
  EXPECT_EQ(CauseOf("MZqFpD='\n\n"s + std::string(64, '\0')), Kind::kLlamafile);
  EXPECT_EQ(CauseOf("jartsr='\n\n"s + std::string(64, '\0')), Kind::kLlamafile);
  EXPECT_EQ(CauseOf("MZ\x90\0\x03\0\0\0"s + std::string(64, '\0')), Kind::kNone);
}

TEST(ForeignFile, ImportanceMatrixOfTheOldFormat) {
  EXPECT_EQ(CauseOf("\x02\0\0\0\x13\0\0\0blk.0.attn_q.weight}\0\0\0"s), Kind::kOldImatrix);
  EXPECT_EQ(CauseOf("\0\0\0\0\x13\0\0\0blk.0.attn_q.weight}\0\0\0"s), Kind::kNone);
  EXPECT_EQ(CauseOf("\x02\0\0\0\x12\0\0\0blk.0.attn_q.weight}\0\0\0"s), Kind::kNone);
}

TEST(ForeignFile, EmptyAndZeros) {
  EXPECT_EQ(CauseOf("", 0), Kind::kEmpty);
  EXPECT_EQ(CauseOf("\0"s, 0), Kind::kZeros);
  EXPECT_EQ(CauseOf(std::string(24, '\0'), 0), Kind::kZeros);
  EXPECT_EQ(CauseOf(std::string(100'000, '\0')), Kind::kZeros);
  EXPECT_EQ(CauseOf(std::string(512, '\0') + "x"), Kind::kZeros);
  EXPECT_EQ(CauseOf(std::string(511, '\0') + "x"), Kind::kNone);
  EXPECT_EQ(CauseOf("x", 0), Kind::kNone);
}

TEST(ForeignFile, AHeaderCutShortIsNotForeign) {
  std::vector<std::uint8_t> file = Write(Model::Minimal());
  file.resize(23);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kEndsEarly);
  EXPECT_EQ(FirstCause(Judge(file)).a, 23U);
  file.resize(4);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kEndsEarly);
  file.resize(3);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kNone);
}

}  // namespace
}  // namespace ggufgate::testing
