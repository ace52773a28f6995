// Tokens, and conversions between texts and tokens.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "rehearse/driver/session.h"

namespace ggufgate::driver {
namespace {

constexpr std::int32_t kOwnTokens = 400;                     // tokens of the model in one text
constexpr std::size_t kMostOwnText = std::size_t{16} << 10;  // bytes of these tokens
constexpr std::size_t kMostTokens = 20'000;                  // of a text
constexpr std::size_t kMostText = std::size_t{64} << 10;     // bytes of a text made of tokens

std::int32_t SizeOf(const auto& container) { return static_cast<std::int32_t>(container.size()); }

void ReadSpecialTokens(const Session& session) {
  const Loader& llama = session.llama;
  std::array<char, 256> piece{};
  for (const auto getter : {llama.llama_vocab_bos, llama.llama_vocab_eos, llama.llama_vocab_eot,
                            llama.llama_vocab_sep, llama.llama_vocab_nl, llama.llama_vocab_pad}) {
    const std::int32_t token = getter != nullptr ? getter(session.vocab) : -1;
    if (token < 0 || !session.HasText()) continue;
    llama.llama_token_to_piece(session.vocab, token, piece.data(), SizeOf(piece), 0, true);
  }
}

void ReadTokens(const Session& session) {
  const Loader& llama = session.llama;
  std::array<char, 256> piece{};
  for (std::int32_t token = 0; token < session.tokens; ++token) {
    if (llama.llama_vocab_get_text != nullptr) {
      const char* const text = llama.llama_vocab_get_text(session.vocab, token);
      if (text != nullptr) Look(std::strlen(text));
    }
    if (llama.llama_vocab_get_score != nullptr) {
      Look(llama.llama_vocab_get_score(session.vocab, token));
    }
    if (llama.llama_vocab_get_attr != nullptr) {
      Look(llama.llama_vocab_get_attr(session.vocab, token));
    }
    for (const auto getter : {llama.llama_vocab_is_eog, llama.llama_vocab_is_control}) {
      if (getter != nullptr) Look(getter(session.vocab, token));
    }
    // With a buffer for the piece, and without: then the library returns the length.
    for (const bool special : {false, true}) {
      llama.llama_token_to_piece(session.vocab, token, piece.data(), SizeOf(piece), 0, special);
      llama.llama_token_to_piece(session.vocab, token, piece.data(), 1, 0, special);
    }
  }
}

// OwnText returns a text of the model's tokens, from the whole vocabulary.
std::string OwnText(const Session& session) {
  std::string text;
  if (session.llama.llama_vocab_get_text == nullptr) return text;
  const std::int32_t step = std::max(1, session.tokens / kOwnTokens);
  for (std::int32_t i = 0; i < session.tokens && text.size() < kMostOwnText; i += step) {
    const char* const token = session.llama.llama_vocab_get_text(session.vocab, i);
    if (token != nullptr) text += token;
    if (i > session.tokens - step) break;  // the next number would overflow
  }
  return text;
}

// Texts that any user may send. They have no code point above U+10FFFF: llama.cpp v0.5.0 crashes on
// it with any WordPiece vocabulary.
std::vector<std::string> Texts(const Session& session) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
  std::string prose;
  for (int i = 0; i < 100; ++i) prose += "a slow green turtle, 456; ";
  return {"",
          " ",
          "good morning",
          "\t\n\n  y \r\n ",
          "Isn't it 67890?! (NO) -- \"yes\"",
          "\xc3\xa4\xc3\xb6 \xe2\x96\x81 \xce\xb1\xce\xb2\xce\xb3 \xe6\x97\xa5\xe6\x9c\xac "
          "\xef\xac\x82 o\xcc\x88",
          "\xf0\x9f\x90\xa2 \xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa7",
          every_byte,
          "\xfe\xff\x81 \xc2 \xed\xbf\xbf \xe2\x84",
          "<s></s><unk><pad>[CLS][SEP][MASK]<|im_start|>x\n<|im_end|><|endoftext|><bos><eos>",
          OwnText(session),
          std::string(2000, 'b'),
          prose};
}

void Detokenize(const Session& session, const std::vector<std::int32_t>& tokens,
                std::int32_t count) {
  if (session.llama.llama_detokenize == nullptr) return;
  static std::vector<char> text(kMostText);
  for (const bool removes : {false, true}) {
    for (const std::int32_t room : {SizeOf(text), 4}) {
      session.llama.llama_detokenize(session.vocab, tokens.data(), count, text.data(), room,
                                     removes, !removes);
    }
  }
}

}  // namespace

void ReadVocabulary(const Session& session) {
  ReadSpecialTokens(session);
  if (!session.HasText()) return;
  ReadTokens(session);
  std::vector<std::int32_t> tokens(kMostTokens);
  for (const std::string& text : Texts(session)) {
    for (const int flags : {0, 1, 2, 3}) {
      const std::int32_t count =
          session.llama.llama_tokenize(session.vocab, text.data(), SizeOf(text), tokens.data(),
                                       SizeOf(tokens), (flags & 1) != 0, (flags & 2) != 0);
      if (count > 0) Detokenize(session, tokens, std::min(count, SizeOf(tokens)));
    }
  }
}

}  // namespace ggufgate::driver
