// Texts that try to inject markup or scripts, and models that contain them wherever a model has text: in
// keys, values, arrays, names of tensors, chat templates and the name of the file.

import {gguf} from "./gguf.mjs";

// The three actions of a payload that runs. The driver (chromium.mjs) detects each of them.
const DEED = "window.hacked=1;alert(1);fetch('http://hostile.invalid/ran')";
const CANARY = "http://hostile.invalid/fetched";

const allTexts = {
  script: `<script>${DEED}</script>`,
  "end-of-script": `</script><script>${DEED}</script>`,
  "end-of-comment": `--><script>${DEED}</script><!--`,
  "comment-in-script": `<!--<script>${DEED}`,
  "end-of-style": `</style><img src=x onerror="${DEED}">`,
  "end-of-title": `</title></textarea></noscript></template><svg onload="${DEED}">`,
  image: `<img src="${CANARY}" onerror="${DEED}">`,
  attribute: `" onmouseover="${DEED}" autofocus onfocus="${DEED}" style="background:url(${CANARY})`,
  "attribute-single": `' onfocus='${DEED}' autofocus x='`,
  "attribute-bare": `x onfocus=${DEED} autofocus`,
  link: `javascript:${DEED}`,
  data: `data:text/html,<script>${DEED}</script>`,
  refresh: `<meta http-equiv="refresh" content="0;url=${CANARY}"><base href="${CANARY}">`,
  frame: `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe><object data="${CANARY}"></object>`,
  style: `<link rel=stylesheet href="${CANARY}"><style>@import "${CANARY}";*{background:url(${CANARY})}</style>`,
  css: `;}*{background:url(${CANARY})}@import url(${CANARY});{`,
  svg: `<svg xmlns="http://www.w3.org/2000/svg"><script>${DEED}</script><use href="${CANARY}#x"/></svg>`,
  "end-of-cdata": `]]><script>${DEED}</script><![CDATA[`,
  entity: `&lt;script&gt;${DEED}&lt;/script&gt;&quot;&#34;&#x3c;img src=x onerror=${DEED}&#x3e;`,
  quotes: `"'\`\\";${DEED};//\\u003c/script\\u003e\${${DEED}}`,
  template: `{{constructor.constructor("${DEED}")()}} {% raw %} <%= 1 %> \${${DEED}} #{1} [[1]]`,
  separators: `a\u2028${DEED}\u2029b\u0085c`,
  direction: "gguf.\u202Efdp.exe\u2066\u2069\u200F and \u05D0\u05D1\u05D2",
  invisible: "zero\u200Bwidth\u00ADsoft\uFEFFmark\u{E0041}tag\u3164filler",
  control: "bell\u0007escape\u001B[31mred\u0000null\rreturn\ttab\nline",
  combining: "Z" + "\u0310\u0321\u0489".repeat(60),
  long: "W".repeat(20_000),
  "long-words": "a model of many words ".repeat(1_000),
  bytes: Buffer.concat([Buffer.from([0xC0, 0xBC, 0xFF, 0xFE, 0x3C, 0xED, 0xA0, 0x80]), Buffer.from("script>")]),
  number: "1e999",
  prototype: "__proto__",
};

// GGUFGATE_TEXTS_EACH=N uses only every Nth text.
const each = Number(process.env.GGUFGATE_TEXTS_EACH ?? 1);
export const texts = Object.fromEntries(Object.entries(allTexts).filter((_, index) => index % each === 0));

function metadataOf(text) {
  return [
    ["general.architecture", text],
    ["general.name", text],
    ["general.alignment", 32],
    ["general.tags", [text, text]],
    ["tokenizer.ggml.tokens", [text, "<s>", text]],
    ["tokenizer.chat_template", text],
    [text, "a value"],
    [text, text],
  ];
}

// The models with one text: a complete file, and a file whose second tensor lies outside the file.
export function models(text) {
  const metadata = metadataOf(text);
  return {
    whole: gguf({metadata: metadata.slice(0, 7), tensors: [{name: text, shape: [8], offset: 0}], data: 32}),
    broken: gguf({
      metadata,
      tensors: [{name: text, shape: [8], offset: 0}, {name: text, shape: [1 << 20], offset: 64}],
      data: 32,
    }),
  };
}

// A file name that contains the beginning of the text. File systems limit the length of a name.
export function fileName(label, kind, text) {
  const most = 160;
  const bytes = Buffer.from(text).map((byte) => (byte === 0 || byte === 0x2F ? 0x5F : byte));
  return Buffer.concat([Buffer.from(`${label}.${kind}.`), bytes.subarray(0, most), Buffer.from(".gguf")]);
}
