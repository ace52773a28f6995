// Tokens, conversions between texts and tokens, and the chat template.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/oracles/llama_cpp/session.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

using Tokens = std::vector<llama_token>;

constexpr int kSampledTokens = 400;                          // tokens of the file in one text
constexpr std::size_t kMostOwnText = std::size_t{16} << 10;  // bytes of these tokens
constexpr int kManyTokens = 20'000;
constexpr std::size_t kMostText = std::size_t{64} << 10;  // bytes
constexpr int kShort = 512;                               // bytes or tokens

void ReadSpecialTokens(const Session& session) {
  const Library& llama = session.llama;
  std::array<char, 256> piece{};
  for (const auto getter :
       {llama.llama_vocab_bos, llama.llama_vocab_eos, llama.llama_vocab_eot, llama.llama_vocab_sep,
        llama.llama_vocab_nl, llama.llama_vocab_pad, llama.llama_vocab_mask,
        llama.llama_vocab_fim_pre, llama.llama_vocab_fim_suf, llama.llama_vocab_fim_mid,
        llama.llama_vocab_fim_pad, llama.llama_vocab_fim_rep, llama.llama_vocab_fim_sep}) {
    // Programs that show a prompt read the piece of its first token. The library must check the
    // bounds.
    const llama_token token = getter(session.vocab);
    if (token < 0 || !session.HasText()) continue;
    llama.llama_token_to_piece(session.vocab, token, piece.data(), piece.size(), 0, true);
  }
  for (const auto getter : {llama.llama_vocab_get_add_bos, llama.llama_vocab_get_add_eos,
                            llama.llama_vocab_get_add_sep}) {
    Look(getter(session.vocab));
  }
  std::int32_t count = 0;
  const llama_token* const suppressed =
      llama.llama_vocab_get_suppress_tokens(session.vocab, &count);
  for (std::int32_t i = 0; i < count; ++i) Look(suppressed[i]);
}

void ReadTokens(const Session& session) {
  const Library& llama = session.llama;
  for (llama_token token = 0; token < session.tokens; ++token) {
    const char* const text = llama.llama_vocab_get_text(session.vocab, token);
    if (text != nullptr) Look(std::strlen(text));
    Look(llama.llama_vocab_get_score(session.vocab, token));
    Look(llama.llama_vocab_get_attr(session.vocab, token));
    Look(llama.llama_vocab_is_eog(session.vocab, token));
    Look(llama.llama_vocab_is_control(session.vocab, token));
  }
}

// Pieces with a buffer for them, and without one: then the library returns the length.
void ReadPieces(const Session& session) {
  std::array<char, 256> piece{};
  for (llama_token token = 0; token < session.tokens; ++token) {
    for (const bool special : {false, true}) {
      session.llama.llama_token_to_piece(session.vocab, token, piece.data(), piece.size(), 0,
                                         special);
    }
    session.llama.llama_token_to_piece(session.vocab, token, piece.data(), 2, 1, true);
  }
}

// OwnText joins tokens of the file.
std::string OwnText(const Session& session) {
  std::string text;
  const int step = std::max(1, session.tokens / kSampledTokens);
  for (llama_token i = 0; i < session.tokens && text.size() < kMostOwnText; i += step) {
    const char* const token = session.llama.llama_vocab_get_text(session.vocab, i);
    if (token != nullptr) text += token;
  }
  return text;
}

// Texts that users may have, independent of the file. They have no code point above U+10FFFF:
// llama.cpp v0.5.0 crashes on it with any WordPiece vocabulary.
std::vector<std::string> Texts(const Session& session) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
  std::string prose;
  for (int i = 0; i < 300; ++i) prose += "the quick brown fox 123 ";
  return {
      "",
      " ",
      "hello world",
      "\n\n\t  x  \r\n",
      "It's 12345 o'clock; don't PANIC!! (yet)",
      "\xc3\xa9t\xc3\xa9 \xe2\x96\x81 \xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 "
      "\xe4\xbd\xa0\xe5\xa5\xbd \xef\xac\x81 e\xcc\x81",
      "\xf0\x9f\x98\x80 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
      every_byte,
      "\xff\xfe\x80 \xc3 \xed\xa0\x80 \xe2\x82",
      "<s></s><unk><pad>[CLS][SEP][MASK]<|im_start|>user\n<|im_end|><|endoftext|><bos><eos>",
      OwnText(session),
      std::string(3000, 'a'),
      prose};
}

void Detokenize(const Session& session, const Tokens& tokens, int count, std::vector<int> flags) {
  std::vector<char> text(kMostText);
  for (const int flag : flags) {
    for (const std::size_t room : {text.size(), std::size_t{4}}) {
      session.llama.llama_detokenize(session.vocab, tokens.data(), count, text.data(),
                                     static_cast<std::int32_t>(room), (flag & 1) != 0,
                                     (flag & 2) != 0);
      if (count > kShort) break;
    }
  }
}

// The flags affect the ends of a text and special tokens, so a long text is converted with neither
// and with both.
void Tokenize(const Session& session, const std::string& text, Tokens& tokens) {
  const bool is_short = text.size() <= kShort;
  for (const int flags : is_short ? std::vector{0, 1, 2, 3} : std::vector{0, 3}) {
    session.Enter(Stage::kTokenize);
    const std::int32_t count = session.llama.llama_tokenize(
        session.vocab, text.data(), static_cast<std::int32_t>(text.size()), tokens.data(),
        static_cast<std::int32_t>(tokens.size()), (flags & 1) != 0, (flags & 2) != 0);
    session.Enter(Stage::kDetokenize);
    if (count <= 0 || (flags != 0 && flags != 3)) continue;
    Detokenize(session, tokens, count, is_short ? std::vector{0, 1, 2, 3} : std::vector{flags});
  }
}

void ApplyTemplate(const Session& session) {
  const Library& llama = session.llama;
  constexpr std::array<llama_chat_message, 4> kChat = {{{"system", "be brief"},
                                                        {"user", "hi \xf0\x9f\x98\x80"},
                                                        {"assistant", "yes"},
                                                        {"user", "why?"}}};
  std::vector<char> text(8192);
  for (const char* const name : {static_cast<const char*>(nullptr), "tool_use", "rag"}) {
    const char* const given = llama.llama_model_chat_template(session.model, name);
    if (given == nullptr) continue;
    for (const std::size_t room : {text.size(), std::size_t{8}}) {
      llama.llama_chat_apply_template(given, kChat.data(), kChat.size(), true, text.data(),
                                      static_cast<std::int32_t>(room));
    }
  }
}

}  // namespace

void ReadText(const Session& session) {
  session.Enter(Stage::kTokens);
  ReadSpecialTokens(session);
  if (session.HasText()) {
    ReadTokens(session);
    session.Enter(Stage::kPieces);
    ReadPieces(session);
    Tokens tokens(kManyTokens);
    for (const std::string& text : Texts(session)) Tokenize(session, text, tokens);
  }
  session.Enter(Stage::kTemplate);
  ApplyTemplate(session);
}

}  // namespace ggufgate::oracles::llama_cpp
