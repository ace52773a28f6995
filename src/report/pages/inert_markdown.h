#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// InertMarkdown is escaped text as code for GitHub-flavoured Markdown, also in a cell of a table:
// all characters that Markdown could take for markup are character references, which it never does,
// and what stands in <code> becomes no mention, no reference and no link. Sources: CommonMark 0.31,
// section 2.5; GFM, extended autolinks; the filters for mentions of html-pipeline, which pass over
// <code>.
[[nodiscard]] std::string InertMarkdown(std::string_view text);

}  // namespace ggufgate
