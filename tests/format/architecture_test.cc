#include "format/architecture.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "format/contracts/contract.h"
#include "format/key.h"
#include "format/tensors/file_type.h"

namespace ggufgate {
namespace {

TEST(Architectures, AreFoundByName) {
  std::set<std::string_view> names;
  for (const ArchitectureInfo& info : AllArchitectures()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(FindArchitecture(info.name), &info);
    // If heads are a quotient, there must be some.
    EXPECT_TRUE(info.attention || !info.heads_divide) << info.name;
  }
  EXPECT_EQ(FindArchitecture(""), nullptr);
  EXPECT_EQ(FindArchitecture("Llama"), nullptr);
  EXPECT_EQ(FindArchitecture("no-such"), nullptr);
}

TEST(Architectures, NewerOnesHaveNoContract) {
  EXPECT_TRUE(IsNewerArchitecture("lfm3"));
  EXPECT_TRUE(IsNewerArchitecture("beam"));
  EXPECT_FALSE(IsNewerArchitecture("lfm2"));
  EXPECT_FALSE(IsNewerArchitecture(""));
  for (const Contract& contract : AllContracts()) {
    EXPECT_FALSE(IsNewerArchitecture(contract.architecture)) << contract.architecture;
  }
  for (const ArchitectureInfo& info : AllArchitectures()) {
    EXPECT_FALSE(IsNewerArchitecture(info.name)) << info.name;
  }
}

TEST(Architectures, DivideByKeysThatAreIntegers) {
  for (const ArchitectureInfo& info : AllArchitectures()) {
    for (std::string_view rest = info.divisors; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      const KeyInfo* key = FindKey("a." + std::string(name), "a");
      ASSERT_NE(key, nullptr) << info.name << ' ' << name;
      EXPECT_EQ(key->shape, KeyShape::kInteger) << name;
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
  }
}

TEST(FileTypes, NameATensorType) {
  EXPECT_EQ(MainTypeOf(0), TensorType::kF32);
  EXPECT_EQ(MainTypeOf(15), TensorType::kQ4_K);
  EXPECT_EQ(MainTypeOf(39), TensorType::kNVFP4);
  for (const std::uint64_t removed : {4U, 5U, 6U, 33U, 34U, 35U}) {
    EXPECT_EQ(MainTypeOf(removed), std::nullopt) << removed;
  }
  EXPECT_EQ(MainTypeOf(40), std::nullopt);
  EXPECT_EQ(MainTypeOf(UINT64_MAX), std::nullopt);
}

}  // namespace
}  // namespace ggufgate
