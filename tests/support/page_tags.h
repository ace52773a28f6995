#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ggufgate::testing {

// TagsOf lists the tags of an HTML page, with the names of their attributes: "a href", "/a", "p".
// What stands in <style> and <script> is passed over. It is written from the HTML standard's
// tokenizer and takes whatever opens with "<" and a letter, "/", "!" or "?" for a tag, so that text
// of a file that got through shows as one.
[[nodiscard]] std::set<std::string> TagsOf(std::string_view page);

// ScriptsIn counts what begins as a script element, whatever it stands in.
[[nodiscard]] std::size_t ScriptsIn(std::string_view page);

// HostileMarkup are texts that a file, or its name, could hold to get into a page or out of a
// table.
[[nodiscard]] const std::set<std::string>& HostileMarkup();

}  // namespace ggufgate::testing
