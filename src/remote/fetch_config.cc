#include "remote/fetch_config.h"

#include <array>
#include <charconv>
#include <memory>

namespace ggufgate {
namespace {

// Each field ends with a NUL, which neither addresses nor file names contain.
void Put(std::string& text, std::string_view field) {
  text += field;
  text += '\0';
}

bool Take(std::string_view& text, std::string& field) {
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos) return false;
  field = std::string(text.substr(0, end));
  text.remove_prefix(end + 1);
  return true;
}

bool TakeNumber(std::string_view& text, std::uint64_t& number) {
  std::string field;
  if (!Take(text, field)) return false;
  const char* const end = std::to_address(field.end());
  const auto [stop, error] = std::from_chars(std::to_address(field.begin()), end, number);
  return error == std::errc() && stop == end;
}

template <typename Config>
auto TextsOf(Config& config) {
  return std::array{&config.authorities, &config.token,        &config.token_origin,
                    &config.netrc,       &config.proxies.http, &config.proxies.https,
                    &config.proxies.all, &config.proxies.none};
}

}  // namespace

std::string WriteFetchConfig(const FetchConfig& config) {
  constexpr std::size_t kNumbers = 64;  // with their NULs
  std::size_t size = kNumbers;
  for (const std::string* field : TextsOf(config)) size += field->size() + 1;
  for (const std::string& url : config.urls) size += url.size() + 1;
  std::string text;
  text.reserve(size);
  Put(text, config.allow_private ? "1" : "0");
  Put(text, config.allow_http ? "1" : "0");
  Put(text, std::to_string(config.seconds));
  Put(text, std::to_string(config.judges));
  for (const std::string* field : TextsOf(config)) Put(text, *field);
  for (const std::string& url : config.urls) Put(text, url);
  return text;
}

std::optional<FetchConfig> ReadFetchConfig(std::string_view text) {
  FetchConfig config;
  std::uint64_t allow_private = 0;
  std::uint64_t allow_http = 0;
  for (std::uint64_t* number : {&allow_private, &allow_http, &config.seconds, &config.judges}) {
    if (!TakeNumber(text, *number)) return std::nullopt;
  }
  config.allow_private = allow_private == 1;
  config.allow_http = allow_http == 1;
  for (std::string* field : TextsOf(config)) {
    if (!Take(text, *field)) return std::nullopt;
  }
  while (!text.empty()) {
    if (!Take(text, config.urls.emplace_back())) return std::nullopt;
  }
  return config;
}

}  // namespace ggufgate
