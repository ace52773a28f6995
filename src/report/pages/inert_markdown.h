#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// InertMarkdown returns escaped text as code for GitHub-flavoured Markdown, also in table cells.
// All characters that could be markup become character references, which Markdown never interprets.
// Text in <code> never becomes a mention, a reference or a link. Sources: CommonMark 0.31, section
// 2.5; GFM, extended autolinks; the filters for mentions of html-pipeline, which skip <code>.
[[nodiscard]] std::string InertMarkdown(std::string_view text);

}  // namespace ggufgate
