// gguf writes a GGUF file, version 3, little-endian, with any names and values. The tests show these files in
// pages. It checks nothing, because the tests need hostile files.
//
// gguf({metadata, tensors, data}) returns a Buffer.
//   metadata  [key, value] pairs; a value is a string or bytes (string), an integer (u32), another
//             number (f32), a boolean, or an array of strings or of integers
//   tensors   {name, shape, offset}, of type F32; the offset counts from the beginning of the data
//   data      the number of zero bytes after the header
// Text can be given as bytes, so that it can be invalid UTF-8.

const bytesOf = (text) => (typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text));

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function u64(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

function f32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(number);
  return bytes;
}

function text(content) {
  const bytes = bytesOf(content);
  return Buffer.concat([u64(bytes.length), bytes]);
}

// Returns [number of the type, bytes of the value].
function typed(value) {
  if (typeof value === "string" || Buffer.isBuffer(value)) return [8, text(value)];
  if (typeof value === "boolean") return [7, Buffer.from([value ? 1 : 0])];
  if (Array.isArray(value)) {
    const elements = value.map(typed);
    const type = elements.length ? elements[0][0] : 8;
    return [9, Buffer.concat([u32(type), u64(elements.length), ...elements.map(([, bytes]) => bytes)])];
  }
  return Number.isInteger(value) ? [4, u32(value)] : [6, f32(value)];
}

function pair([key, value]) {
  const [type, bytes] = typed(value);
  return Buffer.concat([text(key), u32(type), bytes]);
}

const record = ({name, shape, offset}) =>
  Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);

export function gguf({metadata = [], tensors = [], data = 0}) {
  const header = Buffer.concat([
    Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(metadata.length),
    ...metadata.map(pair), ...tensors.map(record),
  ]);
  const padding = tensors.length ? (32 - header.length % 32) % 32 : 0;
  return Buffer.concat([header, Buffer.alloc(padding + data)]);
}
