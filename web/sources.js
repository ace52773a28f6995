import {escaped} from "./dom.js";

// Sources of bytes. A source has an escaped name. `open` returns the object for the worker: the file, or a port to the
// frame that fetches.

export const fileSource = (file, name = file.name) => ({
  name: escaped(name),
  open: async () => ({argument: {name, file}}),
});

// A page about a file on Hugging Face, by its path, and the file itself.
const asFile = (url) => {
  if (/^\/[^/]+\/[^/]+\/blob\//.test(url.pathname) && url.pathname.endsWith(".gguf")) {
    url.pathname = url.pathname.replace("/blob/", "/resolve/");
  }
  return url;
};

// Accepts pasted text: hf:// as in the command (docs/remote.md), and addresses without a scheme.
function spelled(text) {
  const [, owner, repository, path, revision] = /^hf:\/\/([^/@]+)\/([^/@]+)\/([^@]+)(?:@([^@]+))?$/.exec(text) ?? [];
  if (path) return `https://huggingface.co/${owner}/${repository}/resolve/${encodeURIComponent(revision ?? "main")}/${path}`;
  return /^[\w-]+(\.[\w-]+)+\/\S+$/.test(text) ? `https://${text}` : text;
}

export function addressSource(text) {
  let url;
  try {
    url = asFile(new URL(spelled(text)));
  } catch {
    throw new Error("This is not an address: it must begin with https://");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error("An address must begin with https://");
  if (url.username || url.password) throw new Error("An address must not contain a password");
  const name = decode(url.pathname.split("/").at(-1)) || url.host;
  return {name: escaped(name), open: async () => {
    const {port, size} = await openFrame(url.href);
    return {argument: {name, port, size}, transfer: [port]};
  }};
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let frame;

// Each address gets a separate frame that fetches only this address. The old frame is removed, which
// cancels its requests.
async function openFrame(address) {
  frame?.remove();
  frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "Fetches the given address";
  frame.src = "fetch.html";
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, {once: true}));
  document.body.append(frame);
  await loaded;
  const {port1, port2} = new MessageChannel();
  const opened = new Promise((resolve, reject) => {
    port1.addEventListener("message", ({data}) => {
      if (data.problem) reject(new Error(data.problem));
      else resolve(data.size);
    }, {once: true});
  });
  port1.start();
  frame.contentWindow.postMessage({address}, location.origin, [port2]);
  return {size: await opened, port: port1};
}
