// Rule foreign-file-inside.

#include <gtest/gtest.h>

#include "check/cause/foreign_file.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using namespace std::string_literals;

constexpr char kRule[] = "foreign-file-inside";

// The header of a file `a` in a zip archive, its entry in the directory, and the end.
std::string ZipFile() { return "PK\3\4\x14\0\0\0"s + std::string(18, '\0') + "\1\0\0\0a"s; }
std::string ZipDirectory() {
  return "PK\1\2\x14\0\x14\0"s + std::string(20, '\0') + "\1\0"s + std::string(16, '\0') + "a";
}
std::string ZipEnd(const std::string& comment = "") {
  return "PK\5\6\0\0\0\0\1\0\1\0\x2F\0\0\0\x1F\0\0\0"s + static_cast<char>(comment.size() & 0xFF) +
         static_cast<char>(comment.size() >> 8) + comment;
}
std::string Elf(char word = 2, char order = 1, char version = 1, char type = 2) {
  std::string head =
      "\x7F"
      "ELF"s +
      word + order + version + std::string(9, '\0');
  head += order == 2 ? "\0"s + type : type + "\0"s;
  return head + std::string(46, '\0');
}
std::string Pe(char at = 0x40, char signature = 'P') {
  std::string head = "MZ" + std::string(0x3A, '\0') + at + "\0\0\0"s;
  return head + signature + "E\0\0"s;
}

Embedded Find(const std::string& text) { return FindEmbedded(AsBytes(text), text.size()); }

// Data returns a model whose only tensor begins with the text.
Model Data(const std::string& text) {
  Model model;
  Model::Tensor& tensor = model.Add("w", TensorType::kI8, {4096});
  std::ranges::copy(text, tensor.data.begin());
  return model;
}

Model Behind(const std::string& text) {
  Model model = Model::Minimal();
  model.trailing.assign(text.begin(), text.end());
  return model;
}

TEST(FindEmbedded, Zip) {
  EXPECT_EQ(Find(ZipFile()).what, "a zip archive");
  EXPECT_TRUE(Find(ZipFile()).certain);
  const auto with = [](std::size_t at, char value) {
    std::string file = ZipFile();
    file[at] = value;
    return Find(file).what;
  };
  EXPECT_EQ(with(4, 63), "a zip archive");
  EXPECT_EQ(with(4, 64), "");  // no such version
  EXPECT_EQ(with(8, 8), "a zip archive");
  EXPECT_EQ(with(8, 7), "");      // no such method
  EXPECT_EQ(with(26, 0), "");     // no name
  EXPECT_EQ(with(30, '\1'), "");  // not a usual name
  EXPECT_EQ(with(3, 5), "");
  EXPECT_EQ(Find(ZipFile().substr(0, 30)).what, "");
}

TEST(FindEmbedded, Elf) {
  EXPECT_EQ(Find(Elf()).what, "a program or library (ELF)");
  EXPECT_EQ(Find(Elf(1, 2, 1, 3)).what, "a program or library (ELF)");
  for (const std::string& none : {Elf(0), Elf(3), Elf(2, 0), Elf(2, 3), Elf(2, 1, 2),
                                  Elf(2, 1, 1, 0), Elf(2, 1, 1, 5), Elf().substr(0, 51)}) {
    EXPECT_EQ(Find(none).what, "");
  }
}

TEST(FindEmbedded, Pe) {
  EXPECT_EQ(Find(Pe()).what, "a program or library (PE)");
  EXPECT_EQ(Find(Pe(0x41)).what, "");
  EXPECT_EQ(Find(Pe(0x7F)).what, "");  // past the end
  EXPECT_EQ(Find(Pe(0x40, 'N')).what, "");
  EXPECT_EQ(Find("MZ").what, "");
}

TEST(FindEmbedded, Pickle) {
  const std::string global =
      "\x80\2"
      "cos\nsystem\n"s;
  const std::string framed =
      "\x80\4\x95\3\0\0\0\0\0\0\0"
      "](."s;
  const std::string torch = "\x80\2\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19."s;
  for (const std::string& pickle : {global, framed, torch}) {
    EXPECT_EQ(Find(pickle).what, "a Python pickle");
    EXPECT_TRUE(Find(pickle).certain);
  }
  EXPECT_EQ(FindEmbedded(AsBytes(framed), 13).what, "");  // the frame ends after the file
  EXPECT_EQ(FindEmbedded(AsBytes(framed), 14).what, "a Python pickle");
  const Embedded likely = Find("\x80\3}q\0"s);
  EXPECT_EQ(likely.what, "what looks like a Python pickle");
  EXPECT_FALSE(likely.certain);
  for (const std::string& none : {"\x80\1"
                                  "cos\nsystem\n"s,
                                  "\x80\6"
                                  "cos\nsystem\n"s,
                                  "\x80\2"
                                  "cos\nsys"s,
                                  "\x80\2"
                                  "c\n\n"s,
                                  "\x80\2"
                                  "c \nx\n"s,
                                  "\x80\3}x"s, "\x80\3}"s, "\x80\3K\1"s}) {
    EXPECT_EQ(Find(none).what, "");
  }
}

TEST(FindZipEnd, TheCommentEndsWithTheFile) {
  EXPECT_EQ(FindZipEnd(AsBytes(ZipEnd()))->from_end, 22U);
  EXPECT_EQ(FindZipEnd(AsBytes("xx" + ZipEnd("note")))->from_end, 26U);
  EXPECT_EQ(FindZipEnd(AsBytes(ZipEnd()))->directory_bytes, 47U);
  EXPECT_FALSE(FindZipEnd(AsBytes(ZipEnd() + "x")));
  EXPECT_FALSE(FindZipEnd(AsBytes(ZipEnd().substr(0, 21))));
  EXPECT_FALSE(FindZipEnd(AsBytes("PK\5\6"s + std::string(18, '\0'))));  // an empty archive
  EXPECT_FALSE(FindZipEnd({}));
}

TEST(ForeignFileInside, WhereTheDataOfTheFirstTensorBegin) {
  const Model model = Data(Elf());
  EXPECT_THAT(RulesFired(model), ElementsAre(kRule));
  const Finding finding = Judge(model).Only(RuleId::kForeignFileInside);
  EXPECT_THAT(finding, Tells({DataAt(model), 4}, Text("a program or library (ELF)"), _,
                             Text("the data of the first tensor")));
  EXPECT_EQ(WordingOf(finding), ForeignFileInsideWording::kBegins);
  EXPECT_EQ(Severities(model, RuleId::kForeignFileInside), "warning warning warning");
  EXPECT_THAT(RulesFired(Data("x" + Elf())), Not(Contains(kRule)));
  EXPECT_EQ(Severities(Data("\x80\3}q\0"s), RuleId::kForeignFileInside), "note note note");
}

TEST(ForeignFileInside, InPadding) {
  Model model;
  model.Add("w", TensorType::kI8, {20}).data.assign(20, 1);
  model.Add("x", TensorType::kI8, {64});
  std::vector<std::uint8_t> file = Write(model);
  const std::string pickle =
      "\x80\2"
      "ca\nb\n"s;
  std::ranges::copy(pickle, file.begin() + static_cast<std::ptrdiff_t>(DataAt(model)) + 22);
  const Judged judged = Judge(file);
  EXPECT_THAT(judged.Rules(), ElementsAre(kRule, "padding-not-zero"));
  EXPECT_EQ(judged.Only(RuleId::kForeignFileInside).where.begin, DataAt(model) + 22);
  EXPECT_EQ(judged.Only(RuleId::kForeignFileInside).other, Text("padding"));
}

TEST(ForeignFileInside, BehindTheModel) {
  for (const std::string& text : {Elf(), "\0\0\0"s + Pe(), ZipFile()}) {
    EXPECT_THAT(RulesFired(Behind(text)), ElementsAre(kRule, "trailing-bytes"));
  }
  EXPECT_THAT(RulesFired(Behind("words")), ElementsAre("trailing-bytes"));
}

TEST(ForeignFileInside, AnArchiveThatEndsWithTheFile) {
  const std::string archive = ZipDirectory() + ZipEnd();
  const Model model = Behind("words" + archive);
  const Finding finding = Judge(model).Only(RuleId::kForeignFileInside);
  EXPECT_EQ(WordingOf(finding), ForeignFileInsideWording::kEnds);
  EXPECT_THAT(finding,
              Tells({Write(model).size() - 22, 22}, _, _, Text("the bytes behind the model")));
  const std::string far = ZipDirectory() + ZipEnd(std::string(65'535, 'c'));
  EXPECT_THAT(RulesFired(Behind("words" + far)), Contains(kRule));
  // Without the directory that it refers to, it is not the end of an archive.
  EXPECT_THAT(RulesFired(Behind("words" + std::string(47, 'x') + ZipEnd())), Not(Contains(kRule)));
  EXPECT_THAT(RulesFired(Behind(archive + "x")), Not(Contains(kRule)));
}

TEST(ForeignFileInside, AnArchiveThatEndsWithTheData) {
  const std::string archive = ZipDirectory() + ZipEnd();
  Model model = Data("");
  std::ranges::copy(archive,
                    model.tensors[0].data.end() - static_cast<std::ptrdiff_t>(archive.size()));
  EXPECT_THAT(RulesFired(model), ElementsAre(kRule));
  EXPECT_EQ(Judge(model).Only(RuleId::kForeignFileInside).other, Text("the data of the model"));
}

}  // namespace
}  // namespace ggufgate::testing
