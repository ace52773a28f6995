#include "check/loaders/loader_names.h"

#include <algorithm>
#include <array>

#include "check/policy.h"

namespace ggufgate {
namespace {

struct Product {
  std::string_view name;
  std::string_view version;
  std::string_view build;
  std::array<std::string_view, 2> measured;  // releases of llama.cpp; may be empty
};

constexpr std::array kProducts = {
#define GGUFGATE_PRODUCT(name, version, build, before, after) \
  Product{name, version, build, {before, after}},
#include "check/loaders/loader_products.def"
#undef GGUFGATE_PRODUCT
};

// Is returns whether a name means a version of a program. `newest` is its newest version.
bool Is(std::string_view name, std::string_view program, std::string_view version, bool newest) {
  if (name == program) return newest;
  return name.size() == program.size() + 1 + version.size() && name.starts_with(program) &&
         name[program.size()] == '@' && name.ends_with(version);
}

NamedLoader LoaderOf(const Product& product) {
  NamedLoader loader;
  std::string releases;
  for (const std::string_view release : product.measured) {
    if (release.empty()) continue;
    const ContractTable* table = ContractTable::FindLearned(release);
    if (table == nullptr) return {};  // a test has all of them
    loader.contracts.push_back(SharedTable(*table));
    releases += (releases.empty() ? "" : " and ") + std::string(release);
  }
  loader.note = std::string(product.name) + "@" + std::string(product.version) + " contains " +
                std::string(product.build) + ", which was not measured; judged by " + releases;
  return loader;
}

}  // namespace

std::string NameOfRelease(std::string_view release) {
  std::string name(release);
  std::ranges::replace(name, ' ', '@');
  return name;
}

std::shared_ptr<const ContractTable> SharedTable(const ContractTable& table) {
  return {std::shared_ptr<void>(), &table};
}

NamedLoader LoaderNamed(std::string_view name) {
  for (const ContractTable& table : ContractTable::Learned()) {
    const std::string_view release = table.release();
    const std::size_t space = std::min(release.find(' '), release.size());
    const bool newest = &table == &ContractTable::CompiledIn();
    if (Is(name, release.substr(0, space), release.substr(std::min(space + 1, release.size())),
           newest)) {
      return {.contracts = {SharedTable(table)}};
    }
  }
  std::string_view seen;  // the program of the last line
  for (const Product& product : kProducts) {
    if (Is(name, product.name, product.version, product.name != seen)) return LoaderOf(product);
    seen = product.name;
  }
  return {};
}

std::vector<std::string> LoaderNames() {
  std::vector<std::string> names;
  for (const ContractTable& table : ContractTable::Learned()) {
    names.push_back(NameOfRelease(table.release()));
  }
  for (const Product& product : kProducts) {
    names.push_back(std::string(product.name) + "@" + std::string(product.version));
  }
  return names;
}

void AddLoader(std::shared_ptr<const ContractTable> contracts, Policy& policy) {
  const bool known = std::ranges::any_of(policy.loaders, [&](const auto& loader) {
    return loader->release() == contracts->release();
  });
  if (!known) policy.loaders.push_back(std::move(contracts));
}

}  // namespace ggufgate
