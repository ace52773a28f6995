// The words of chat templates and of policy files.

#include "check/policy.h"
#include "check/severity.h"
#include "format/architecture.h"
#include "format/limits.h"
#include "format/tensors/tensor_type.h"
#include "fuzz/dictionary/dictionary.h"

namespace ggufgate::fuzz {
namespace {

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

// Sources: jinja2 3.1.6, lexer.py, parser.py, filters.py and sandbox.py; the functions that
// published templates call; CVE-2024-34359 and CVE-2026-5760 for names that lead out of them.
void AddChatTemplate(Dictionary& dictionary) {
  dictionary.Heading("delimiters and operators");
  dictionary.AddAll({"{{", "}}", "{%", "%}", "{#", "#}", "{{-", "-}}", "{%-", "-%}", "{%+", "+%}"});
  dictionary.AddAll({"~", "|", "**", "//", "==", "!=", "<=", ">=", "[::-1]", "[-1]", "(*", "**{"});
  dictionary.Heading("statements");
  dictionary.AddAll({"{% if true %}",
                     "{% elif ",
                     "{% else %}",
                     "{% endif %}",
                     "{% for i in x %}",
                     "{% endfor %}",
                     "{% set x = ",
                     "{% endset %}",
                     "{% macro m() %}",
                     "{% endmacro %}",
                     "{% call m() %}",
                     "{% endcall %}",
                     "{% filter upper %}",
                     "{% endfilter %}",
                     "{% raw %}",
                     "{% endraw %}",
                     "{% block b %}",
                     "{% endblock %}",
                     "{% generation %}",
                     "{% endgeneration %}",
                     "{% break %}",
                     "{% continue %}",
                     "{% include ",
                     "{% import ",
                     "{% extends ",
                     "{% do ",
                     "{% with ",
                     "{% endwith %}",
                     "{% autoescape ",
                     " recursive ",
                     "loop("});
  dictionary.Heading("tests, filters, functions");
  dictionary.AddAll({" is defined",
                     " is not none",
                     " is string",
                     " is mapping",
                     " not in ",
                     "|attr(",
                     "|map(attribute=",
                     "|selectattr(",
                     "|join(",
                     "|sort(",
                     "|format(",
                     "|tojson",
                     "|trim",
                     "|safe",
                     "|list",
                     "|length",
                     "|default(",
                     "|replace(",
                     "range(",
                     "range(999999999)",
                     "namespace(",
                     "dict(",
                     "raise_exception(",
                     "strftime_now(",
                     ".format(",
                     ".format_map(",
                     ".split(",
                     ".items()",
                     ".get("});
  dictionary.Heading("what a template is given");
  dictionary.AddAll({"messages",
                     "message['role']",
                     "message['content']",
                     "add_generation_prompt",
                     "bos_token",
                     "eos_token",
                     "tools",
                     "tool_calls",
                     "documents",
                     "system",
                     "user",
                     "assistant",
                     "<|im_start|>",
                     "<|im_end|>",
                     "[INST]",
                     "[/INST]",
                     "loop.index0",
                     "loop.first",
                     "loop.last",
                     "enable_thinking"});
  dictionary.Heading("ways out of it");
  dictionary.AddAll({"__class__",
                     "__mro__",
                     "__base__",
                     "__bases__",
                     "__subclasses__()",
                     "__init__",
                     "__globals__",
                     "__builtins__",
                     "__import__",
                     "__getattribute__",
                     "__getitem__",
                     "lipsum",
                     "cycler",
                     "joiner",
                     "self._TemplateReference__context",
                     "func_globals",
                     "gi_frame",
                     "f_builtins",
                     "os",
                     "popen",
                     "'__cla'~'ss__'",
                     "'\\x5f\\x5f'",
                     "\"\\u005f\"",
                     "{0.__class__}",
                     "%c%c",
                     "caller",
                     "varargs"});
  dictionary.Heading("characters nobody sees");
  dictionary.AddAll({"\u200b", "\u202e", "\u2066", "\u2069", "\ufeff", "\u00ad", "\u00a0"});
}

// Source: RFC 9110 and 9112; X-Linked-… from huggingface.co.
void AddHttp(Dictionary& dictionary) {
  dictionary.Heading("what was asked for");
  dictionary.AddAll({"> whole\n", "> 0 100\n", "> 100 200\n"});
  dictionary.Heading("status lines");
  dictionary.AddAll({"HTTP/1.1 200 OK\r\n", "HTTP/1.1 206 Partial Content\r\n", "HTTP/2 206 \r\n",
                     "HTTP/1.1 416 x\r\n", "HTTP/1.1 302 Found\r\n", "HTTP/1.1 103 x\r\n", "\r\n",
                     "\r\n\r\n", "\r"});
  dictionary.Heading("fields");
  dictionary.AddAll({"Content-Length: ", "Content-Range: bytes ", "Content-Encoding: gzip\r\n",
                     "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
                     "Content-Type: multipart/byteranges\r\n", "ETag: \"one\"\r\n",
                     "ETag: W/\"one\"\r\n", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
                     "Date: Sun, 06 Nov 1994 08:50:37 GMT\r\n", "Location: https://",
                     "X-Linked-Etag: \"one\"\r\n", "X-Linked-Size: ", "Retry-After: 1\r\n"});
  dictionary.Heading("values");
  dictionary.AddAll({"bytes 0-99/150", "bytes 100-149/150", "bytes */0", "bytes */150", "0-0/1",
                     "9223372036854775807", "18446744073709551616", "http://", "https://", "[::1]",
                     "user@host", ":443", "%0d%0a", "identity"});
}

void AddPolicy(Dictionary& dictionary) {
  dictionary.Heading("keys and tables");
  dictionary.AddAll({"schema = \"ggufgate.policy/1\"\n", "profile = ", "fail_on = ", "data = ",
                     "target = ", "findings_per_rule = ", "[severity]\n", "[limits]\n", "[allow]\n",
                     "[[suppress]]\n", "architectures = [", "tensor_types = [",
                     "rule = ", "reason = ", "sha256 = ", "path = "});
  dictionary.Heading("values");
  for (std::size_t i = 0; i < kSeverityCount; ++i) {
    dictionary.Add(Quoted(WordFor(static_cast<Severity>(i))));
  }
  for (const std::string_view word : kProfileWords) dictionary.Add(Quoted(word));
  for (const std::string_view word : kTargetOrderWords) dictionary.Add(Quoted(word));
  for (const std::string_view word : kDataScanWords) dictionary.Add(Quoted(word));
  dictionary.AddAll({"\"unlimited\"", " KiB\"", " MiB\"", " GiB\"", "\"64 MiB\"", "100000",
                     "9223372036854775807", "18446744073709551615", "-1"});
  dictionary.Heading("limits");
  for (const LimitInfo& limit : AllLimits()) dictionary.Add(std::string(limit.name) + " = ");
  dictionary.Heading("rules");
#define GGUFGATE_RULE(name, slug, ...) dictionary.Add(slug);
#include "check/rules.def"
#undef GGUFGATE_RULE
  dictionary.Heading("tensor types");
  for (const TensorTypeInfo& type : AllTensorTypes()) dictionary.Add(Quoted(type.name));
  dictionary.Heading("TOML");
  dictionary.AddAll({"\"\"\"",
                     "'''",
                     "true",
                     "false",
                     "inf",
                     "nan",
                     "0x",
                     "0o",
                     "0b",
                     "1e6",
                     "1979-05-27T07:32:00Z",
                     "07:32:00",
                     "\\u0000",
                     "\\U0010ffff",
                     "[[",
                     "]]",
                     " = {",
                     "}",
                     "#",
                     "\r\n",
                     "a.b.c = "});
}

}  // namespace ggufgate::fuzz
