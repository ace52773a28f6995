// Version, counts, lengths, truncation, padding: the file as a whole.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

constexpr std::uint64_t kAll64 = UINT64_MAX;

Recipes VersionRecipes() {
  return {
      FromBase("invalid/version.gguf", "a version that does not exist yet", kReject, {"version"},
               "version 4", [](Model& m) { m.version = 4; }),
      FromBase("invalid/version.0.gguf", "version 0", kReject, {"version"}, "version 0",
               [](Model& m) { m.version = 0; }),
      FromBase("invalid/version.1.gguf",
               "a true version 1 file of August 2023: counts and lengths of 32 bits", kReject,
               {"version"}, "version 1, written as such", [](Model& m) { m.version = 1; }),
      FromBase(
          "invalid/version.words-swapped.gguf",
          "0x00030000: the low half is 0, by which the reference tells another byte order, yet "
          "no byte order makes it 2 or 3",
          kReject, {"version"}, "version 0x00030000", [](Model& m) { m.version = 0x3'0000; }),
      FromBase("invalid/version.high-half.gguf", "0x00010003: 3 to a reader that looks at one byte",
               kReject, {"version"}, "version 0x00010003", [](Model& m) { m.version = 0x1'0003; }),
      FromBase("valid/version.near-miss.gguf", "version 2: the layout is that of version 3",
               kAccept, {}, "version 2", [](Model& m) { m.version = 2; }),
      {.file = "invalid/byte-order.gguf",
       .shows = "a byte-swapped version 2: big-endian files begin with version 3",
       .verdict = kReject,
       .rules = {"byte-order"},
       .recipe = "all of it big-endian, version 2",
       .make =
           [] {
             Model m = Base();
             m.byte_order = ByteOrder::kBig;
             m.version = 2;
             m.Set("general.architecture", "test");
             return Write(m);
           }},
      {.file = "invalid/byte-order.big-endian.gguf",
       .shows = "a sound big-endian file: right by the specification, unreadable to llama.cpp on a "
                "little-endian machine, accepted where the policy's target is big",
       .verdict = kOnlySpec,
       .rules = {"byte-order"},
       .recipe = "all of it big-endian, version 3, tensor data too",
       .make =
           [] {
             Model m = Base();
             m.byte_order = ByteOrder::kBig;
             m.Set("general.architecture", "test").Set("test.block_count", std::uint32_t{1});
             Encoder data(ByteOrder::kBig);
             for (int i = 1; i <= 8; ++i) data.Put(static_cast<float>(i));
             m.tensors.front().data = data.Take();
             return Write(m);
           }},
      {.file = "valid/byte-order.near-miss.gguf",
       .shows = "the same model, little-endian",
       .verdict = kAccept,
       .recipe = "one u32 key more",
       .make = Edit([](Model& m) { m.Set("test.block_count", std::uint32_t{1}); })},
  };
}

Recipes CountRecipes() {
  return {
      FromBase("invalid/tensor-count.gguf", "more tensors claimed than the bytes left could hold",
               kReject, {"tensor-count"}, "claims 1000 tensors",
               [](Model& m) { m.claimed_tensor_count = 1000; }),
      FromBase("invalid/tensor-count.all-ones.gguf", "2^64-1 tensors: -1 to a signed count",
               kReject, {"tensor-count"}, "claims 2^64-1 tensors",
               [](Model& m) { m.claimed_tensor_count = kAll64; }),
      FromBase("invalid/tensor-count.wraps.gguf",
               "2^61 tensors: times 24 bytes wraps in 64 bits, times 8 is 0", kReject,
               {"tensor-count"}, "claims 2^61 tensors",
               [](Model& m) { m.claimed_tensor_count = std::uint64_t{1} << 61; }),
      FromBase("valid/tensor-count.near-miss.gguf", "two tensors claimed, two there", kAccept, {},
               "a second tensor", [](Model& m) { AddFloats(m, "more", 8); }),
      FromBase("invalid/metadata-count.gguf", "more keys claimed than the bytes left could hold",
               kReject, {"metadata-count"}, "claims 1000 keys",
               [](Model& m) { m.claimed_metadata_count = 1000; }),
      FromBase("invalid/metadata-count.2-63.gguf", "2^63 keys: negative to a signed count", kReject,
               {"metadata-count"}, "claims 2^63 keys",
               [](Model& m) { m.claimed_metadata_count = std::uint64_t{1} << 63; }),
      FromBase("invalid/metadata-count.all-ones.gguf", "2^64-1 keys", kReject, {"metadata-count"},
               "claims 2^64-1 keys", [](Model& m) { m.claimed_metadata_count = kAll64; }),
      FromBase("valid/metadata-count.near-miss.gguf",
               "the smallest key a loader takes: one letter and a byte, 14 bytes, the last of the "
               "file",
               kAccept, {}, "no tensors; a u8 under the key `k`",
               [](Model& m) {
                 m.tensors.clear();
                 m.Set("k", std::uint8_t{1});
               }),
      {.file = "invalid/tensor-count.big-endian-body.gguf",
       .shows = "version 3 in little-endian, everything else in big-endian: a converter that "
                "forgot the version, or remembered nothing else",
       .verdict = kReject,
       .rules = {"tensor-count"},
       .recipe = "big-endian, then the version's bytes turned round",
       .make =
           [] {
             Model m = Base();
             m.byte_order = ByteOrder::kBig;
             m.Set("general.architecture", "test");
             FileBytes file = Write(m);
             Put(file, 4, std::uint32_t{3});
             return file;
           }},
  };
}

Recipes LengthRecipes() {
  return {
      FromBase("invalid/string-length.gguf", "a string one byte longer than what is left", kReject,
               {"string-length"}, "a string of 4 characters claims 5, no tensors",
               [](Model& m) {
                 m.tensors.clear();
                 Encoder text(ByteOrder::kLittle);
                 text.Put(std::uint64_t{5}).PutBytes(AsBytes("text"));
                 m.SetRaw("test.text", ValueType::kString, text.Take());
               }),
      FromBase("invalid/string-length.all-ones.gguf",
               "a string of 2^64-1 bytes: plus one for a terminator it is 0", kReject,
               {"string-length"}, "a string claims 2^64-1 characters",
               [](Model& m) {
                 Encoder text(ByteOrder::kLittle);
                 text.Put(kAll64).PutBytes(AsBytes("text"));
                 m.SetRaw("test.text", ValueType::kString, text.Take());
               }),
      FromBase("invalid/string-length.key.gguf", "a key of 2^64-1 bytes", kReject,
               {"string-length"}, "a key claims 2^64-1 characters",
               [](Model& m) { m.metadata.front().claimed_key_length = kAll64; }),
      FromBase("invalid/string-length.tensor-name.gguf", "a tensor name of 2^63 bytes", kReject,
               {"string-length"}, "a tensor name claims 2^63 characters",
               [](Model& m) { m.tensors.front().claimed_name_length = std::uint64_t{1} << 63; }),
      FromBase("invalid/string-length.in-array.gguf", "the second string of an array claims 2^32",
               kReject, {"string-length"}, "an array of two strings",
               [](Model& m) {
                 Encoder array(ByteOrder::kLittle);
                 array.Put(std::uint32_t{8}).Put(std::uint64_t{2}).PutString("one");
                 array.Put(std::uint64_t{1} << 32).PutBytes(AsBytes("two"));
                 m.SetRaw("test.names", ValueType::kArray, array.Take());
               }),
      FromBase("valid/string-length.near-miss.gguf", "a string that ends with the file", kAccept,
               {}, "a string of 4 characters, no tensors",
               [](Model& m) {
                 m.tensors.clear();
                 m.Set("test.text", "text");
               }),
  };
}

Recipes TruncationRecipes() {
  const auto with_array = Edit([](Model& m) {
    m.tensors.clear();
    m.Set("test.values", std::vector<std::uint32_t>{1, 2, 3});
  });
  const auto whole = Edit([](Model&) {});
  return {
      {.file = "invalid/file-too-short.gguf",
       .shows = "a header one byte short",
       .verdict = kReject,
       .rules = {"file-too-short"},
       .recipe = "the first 23 bytes",
       .make = FirstBytes(whole, 23)},
      {.file = "invalid/file-too-short.empty.gguf",
       .shows = "no bytes at all",
       .verdict = kReject,
       .rules = {"file-too-short"},
       .recipe = "nothing",
       .make = Raw(""),
       .cause = "empty"},
      {.file = "invalid/file-too-short.magic-only.gguf",
       .shows = "the magic and nothing else: a reader of four bytes takes it for a model",
       .verdict = kReject,
       .rules = {"file-too-short"},
       .recipe = "the first 4 bytes",
       .make = FirstBytes(whole, 4)},
      {.file = "valid/file-too-short.near-miss.gguf",
       .shows = "a header and nothing else, 24 bytes: loads in llama.cpp",
       .verdict = kAccept,
       .recipe = "no keys, no tensors",
       .make = [] { return Write(Model{}); }},
      {.file = "invalid/truncated-metadata.gguf",
       .shows = "the file ends inside the type of its last value",
       .verdict = kReject,
       .rules = {"truncated-metadata"},
       .recipe = "no tensors, an array of three u32; cut inside the value type",
       .make = FirstBytes(with_array, -(12 + 12 + 2)),
       .cause = "cut-short"},
      {.file = "invalid/truncated-metadata.array-head.gguf",
       .shows = "the file ends inside the count of an array",
       .verdict = kReject,
       .rules = {"truncated-metadata"},
       .recipe = "no tensors, an array of three u32; cut inside its count",
       .make = FirstBytes(with_array, -(12 + 4)),
       .cause = "cut-short"},
      {.file = "invalid/truncated-metadata.scalar.gguf",
       .shows = "the file ends inside a u64",
       .verdict = kReject,
       .rules = {"truncated-metadata"},
       .recipe = "no tensors, a u64, cut after 4 of its bytes",
       .make = FirstBytes(Edit([](Model& m) {
                            m.tensors.clear();
                            m.Set("test.size", std::uint64_t{1});
                          }),
                          -4),
       .cause = "cut-short"},
      {.file = "valid/truncated-metadata.near-miss.gguf",
       .shows = "the last byte of the metadata is the last of the file",
       .verdict = kAccept,
       .recipe = "no tensors, an array of three u32",
       .make = with_array},
      {.file = "invalid/truncated-tensor-info.gguf",
       .shows = "the file ends inside the offset of its last tensor",
       .verdict = kReject,
       .rules = {"truncated-tensor-info"},
       .recipe = "the first 100 bytes; the directory has 106",
       .make = FirstBytes(whole, 100),
       .cause = "cut-short"},
      {.file = "invalid/truncated-tensor-info.dimensions.gguf",
       .shows = "the file ends inside a dimension",
       .verdict = kReject,
       .rules = {"truncated-tensor-info"},
       .recipe = "the first 90 bytes",
       .make = FirstBytes(whole, 90),
       .cause = "cut-short"},
      {.file = "valid/truncated-tensor-info.near-miss.gguf",
       .shows = "a tensor without elements whose directory ends exactly at the alignment: nothing "
                "follows, and nothing is missing",
       .verdict = kAccept,
       .rules = {"tensor-row-empty"},
       .recipe = "a name that makes the directory 128 bytes, dimensions [0]",
       .make = Edit([](Model& m) {
         Claim(m, {0});
         m.tensors.front().name = "weight.of.no.elements.at.all";
       })},
  };
}

Recipes PaddingRecipes() {
  return {
      FromBase("valid/trailing-bytes.warned.gguf", "32 bytes behind the last tensor", kAccept,
               {"trailing-bytes"}, "32 bytes 0xAA at the end",
               [](Model& m) { m.trailing.assign(32, 0xAA); }),
      FromBase(
          "valid/trailing-bytes.one-zero.warned.gguf",
          "one byte behind the last tensor, and it is 0: padding is what the alignment asks for",
          kAccept, {"trailing-bytes"}, "a zero byte at the end",
          [](Model& m) { m.trailing.assign(1, 0); }),
      FromBase("valid/trailing-bytes.no-tensors.warned.gguf",
               "bytes behind metadata without tensors", kAccept, {"trailing-bytes"},
               "no tensors; zeros up to the alignment, then 12 bytes 0xAA",
               [](Model& m) {
                 m.tensors.clear();
                 m.trailing.assign(28, 0);
                 m.trailing.insert(m.trailing.end(), 12, 0xAA);
               }),
      FromBase("valid/trailing-bytes.gguf.warned.gguf",
               "another GGUF behind the last tensor, as where shards were joined by cat", kAccept,
               {"trailing-bytes"}, "the header of an empty GGUF at the end",
               [](Model& m) {
                 m.trailing = {'G', 'G', 'U', 'F', 3};
                 m.trailing.resize(24);
               }),
      FromBase("valid/trailing-bytes.near-miss.gguf",
               "a last tensor of 20 bytes with 12 of padding: the padding belongs to it", kAccept,
               {}, "a second tensor, of 5 values", [](Model& m) { AddFloats(m, "more", 5); }),
      FromBase("valid/padding-not-zero.warned.gguf", "0xFF where padding zeros belong", kAccept,
               {"padding-not-zero"}, "every padding byte 0xFF",
               [](Model& m) { m.padding_byte = 0xFF; }),
      {.file = "valid/padding-not-zero.last.warned.gguf",
       .shows = "the one byte that is not zero is the last of the file",
       .verdict = kAccept,
       .rules = {"padding-not-zero"},
       .recipe = "a tensor of 5 values; the last byte set to 1",
       .make =
           [] {
             Model m = Base();
             AddFloats(m, "more", 5);
             FileBytes file = Write(m);
             file.back() = 1;
             return file;
           }},
      FromBase("valid/padding-not-zero.near-miss.gguf", "padding of zeros after data of 0xFF",
               kAccept, {}, "an I8 tensor of 5 values 0xFF",
               [](Model& m) { m.Add("ones", TensorType::kI8, {5}).data.assign(5, 0xFF); }),
  };
}

}  // namespace

Recipes ContainerRecipes() {
  Recipes all;
  for (const auto& part :
       {VersionRecipes(), CountRecipes(), LengthRecipes(), TruncationRecipes(), PaddingRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
