// Checks a file before the first real one. Browsers compile a module twice: first fast, then with
// optimisation for the code that runs often. All workers of the page share the second result.

const TOKENS = 60_000;
const TENSORS = 200;
const ROUNDS = 5;
const PAUSE = 20;  // milliseconds for the browser to optimise

// The front of a model like a large one: lengths, ASCII text and small numbers. It makes no strings or large integers
// for tokens, because browsers keep their memory for a long time.
function model(tokens, tensors) {
  const bytes = new Uint8Array(4096 + 48 * tokens + 1152 * tensors);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const u32 = (value) => { view.setUint32(at, value, true); at += 4; };
  const u64 = (value) => { u32(value); u32(0); };
  const letters = (value, count) => {
    for (; count > 0; --count, value = Math.floor(value / 26)) bytes[at++] = 0x61 + value % 26;
  };
  const text = (value) => {
    u64(value.length);
    at += new TextEncoder().encodeInto(value, bytes.subarray(at)).written;
  };
  const key = (name, type) => { text(name); u32(type); };
  const array = (name, type, count, put) => {
    key(name, 9);
    u32(type);
    u64(count);
    for (let each = 0; each < count; ++each) put(each);
  };
  const strings = {
    "general.architecture": "llama", "general.name": "warm", "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "llama-bpe",
    "tokenizer.chat_template": "{% for message in messages %}{{ message['content'] }}{% endfor %}",
  };
  const numbers = {
    "llama.block_count": 2, "llama.context_length": 8192, "llama.embedding_length": 64, "llama.feed_forward_length": 256,
    "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2, "llama.rope.dimension_count": 16,
  };
  bytes.set([0x47, 0x47, 0x55, 0x46]);
  at = 4;
  u32(3);
  u64(tensors);
  u64(Object.keys(strings).length + Object.keys(numbers).length + 3);
  for (const [name, value] of Object.entries(strings)) { key(name, 8); text(value); }
  for (const [name, value] of Object.entries(numbers)) { key(name, 4); u32(value); }
  array("tokenizer.ggml.tokens", 8, tokens, (each) => { u64(8); letters(each, 8); });
  array("tokenizer.ggml.token_type", 5, tokens, () => u32(1));
  array("tokenizer.ggml.merges", 8, tokens, (each) => { u64(9); letters(each, 5); bytes[at++] = 0x20; letters(7 * each, 3); });
  for (let each = 0; each < tensors; ++each) {
    text(`blk.${each}.weight`);
    u32(2);
    u64(64);
    u64(4);
    u32(0);
    u64(each * 1024);
  }
  return bytes.subarray(0, Math.ceil(at / 32) * 32 + tensors * 1024);
}

export async function warm(gate) {
  const bytes = model(TOKENS, TENSORS);
  const source = {name: "warm", size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length)};
  for (let round = 0; round < ROUNDS; ++round) {
    await gate.check(source);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

export const smallFile = () => new Blob([model(100, 10)]);
