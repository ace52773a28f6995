// A GGUF file laid open: its bytes with what each of them means beside them.
//
// One module without imports, for the page (web/) and, built into the program, for
// `ggufgate inspect --format html`. Text of the file is shown as text and never as markup.
//
//   const view = layOpen(root, { name, size, regions, parts, bytes, findings });
//
// root      an element that becomes the view; view/laid_open.css goes with it.
// name      what the file is called; size: its bytes.
// regions   the regions of the whole file in file order, an array of
//           { kind, name, offset, length, subject } — kind as in `inspect --format json --layout`
//           ("header", "metadata", "tensor info", "padding", "tensor data", "gap",
//           "trailing bytes", "not read"); name: kind and subject, as people read it; subject: the
//           key or tensor, "" for others. All text is escaped as in the reports.
// parts     (region, from, most) → what the region consists of from byte `from` of the file on, or a
//           promise of it: { parts: [{ offset, length, name, meaning }], next }, at most `most`
//           parts, the first of which holds byte `from`; `next` is where the page after it begins,
//           the region's end after the last. `region` is an element of `regions`.
// bytes     (offset, length) → a Uint8Array of these bytes, or a promise of it. Never asked for bytes
//           behind the file's end, nor for ones that are not in `stretches`.
// findings  as in `--format json`: [{ rule, severity, offset, length, path, message, cause?: { message,
//           advice }, suppressed?: { reason } }]
// stretches [[offset, length], …], in file order: which bytes are at hand. Without it all are.
// left_out  a sentence for people on what is not at hand; "" or absent: nothing to say.
//
// The view answers { goTo(offset, length = 1), destroy() }. Offsets are numbers: files are smaller than 2^53.
export function layOpen(root, file) {
  throw new Error("not laid open yet");
}
