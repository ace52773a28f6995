// Chat templates, with the C API and with llama-server's engine.

#include <dlfcn.h>

#include <array>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "rehearse/driver/session.h"

// From common/chat.h of llama.cpp, which is not a public header. A unique_ptr with a custom deleter
// is returned in memory, like this structure.
struct common_chat_templates;

namespace ggufgate::driver {
namespace {

struct ReturnedTemplates {
  common_chat_templates* templates = nullptr;
  ReturnedTemplates() = default;
  ReturnedTemplates(const ReturnedTemplates&) = delete;
  ReturnedTemplates& operator=(const ReturnedTemplates&) = delete;
  ~ReturnedTemplates() {}  // NOLINT(modernize-use-equals-default): is returned in memory so
};

using Init = ReturnedTemplates(const Model*, const std::string&, const std::string&,
                               const std::string&);
using Format = std::string(const common_chat_templates*, bool,
                           const std::map<std::string, std::string>&);

// The mangled names of the functions. If a release has functions with other parameters, their names
// are different.
#define GGUFGATE_STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
constexpr const char* kInit =
    "_Z26common_chat_templates_initPK11llama_modelRK" GGUFGATE_STRING "S9_S9_";
constexpr const char* kFormat =
    "_Z26common_chat_format_examplePK21common_chat_templatesbRKSt3mapI" GGUFGATE_STRING
    "S8_St4lessIS8_ESaISt4pairIKS8_S8_EEE";

void ApplyByApi(const Session& session) {
  const Loader& llama = session.llama;
  if (llama.llama_model_chat_template == nullptr || llama.llama_chat_apply_template == nullptr) {
    return;
  }
  constexpr std::array<ChatMessage, 3> kChat = {
      {{"system", "answer briefly"}, {"user", "hello \xf0\x9f\x90\xa2"}, {"assistant", "yes"}}};
  std::vector<char> text(8192);
  for (const char* const name : {static_cast<const char*>(nullptr), "tool_use"}) {
    const char* const given = llama.llama_model_chat_template(session.model, name);
    if (given == nullptr) continue;
    for (const std::int32_t room : {static_cast<std::int32_t>(text.size()), 8}) {
      llama.llama_chat_apply_template(given, kChat.data(), kChat.size(), true, text.data(), room);
    }
  }
}

// The engine refuses with an exception, which llama-server catches. Lack of memory is not a
// refusal.
void ApplyByEngine(const Session& session, Init* init, Format* format) {
  try {
    const ReturnedTemplates made = init(session.model, "", "", "");
    Look(format(made.templates, true, {}).size());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& refusal) {
    session.speaker.Note(std::string("the engine of llama-server refuses the chat template: ") +
                         refusal.what());
  }
}

}  // namespace

void ApplyTemplates(const Session& session) {
  ApplyByApi(session);
  std::string problem;
  void* const common =
      OpenLibrary(session.llama.folder + "/libllama-common.so", session.llama.folder, problem);
  const auto init = common != nullptr ? reinterpret_cast<Init*>(::dlsym(common, kInit)) : nullptr;
  const auto format =
      common != nullptr ? reinterpret_cast<Format*>(::dlsym(common, kFormat)) : nullptr;
  if (init == nullptr || format == nullptr) {
    session.speaker.Note(
        "the engine of llama-server was not rehearsed: there is no known libllama-common.so next "
        "to the loader");
    return;
  }
  ApplyByEngine(session, init, format);
}

}  // namespace ggufgate::driver
