#include <gtest/gtest.h>

#include <cstddef>

#include "parse/model.h"
#include "tests/api/c11.h"

namespace ggufgate::testing {
namespace {

TEST(C11, ReadsTheHeaderAndUsesTheInterface) {
  const auto file = Write(Model::Minimal());
  EXPECT_EQ(ggufgate_test_gate_from_c(file.data(), file.size()), 0);
}

}  // namespace
}  // namespace ggufgate::testing
