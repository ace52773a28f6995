#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ggufgate::testing {

// TagsOf lists the tags of an HTML page, with the names of their attributes: "a href", "/a", "p".
// It skips the contents of <style> and <script>. It follows the tokenizer of the HTML standard:
// anything that begins with "<" and a letter, "/", "!" or "?" is a tag. So unescaped text of a file
// shows as a tag.
[[nodiscard]] std::set<std::string> TagsOf(std::string_view page);

// ScriptsIn counts the beginnings of script elements, in any context.
[[nodiscard]] std::size_t ScriptsIn(std::string_view page);

// HostileMarkup returns texts with which a file, or its name, may inject markup into a page or a
// table.
[[nodiscard]] const std::set<std::string>& HostileMarkup();

}  // namespace ggufgate::testing
