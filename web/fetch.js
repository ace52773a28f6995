// Fetches ranges of the one address from the page, and sends them through the port that came with it. An
// answer is used only if it matches the request.

const MOST = 1 << 24;  // limit for a server without ranges

let address;
let whole = null;   // the file, if the server sent all of it
let tag = null;
let size = 0;

// At most `length` bytes of a body; a server may send forever.
async function take(response, length) {
  const bytes = new Uint8Array(length);
  let have = 0;
  const reader = response.body.getReader();
  while (have < length) {
    const {done, value} = await reader.read();
    if (done) break;
    const part = value.subarray(0, length - have);
    bytes.set(part, have);
    have += part.length;
  }
  reader.cancel().catch(() => {});
  return bytes.subarray(0, have);
}

async function ask(first, last) {
  let response;
  try {
    response = await fetch(address, {headers: {Range: `bytes=${first}-${last}`}, mode: "cors", credentials: "omit",
                                     referrerPolicy: "no-referrer", cache: "no-store"});
  } catch {
    throw new Error("cannot reach the server, or it does not allow other pages to read the file (CORS): " +
                    "download the file and drop it here");
  }
  if (response.status === 404) throw new Error("there is no such file (404)");
  if (response.status === 401 || response.status === 403) {
    throw new Error(`the server requires a login (${response.status}); download the file and drop it here`);
  }
  return response;
}

const numbers = (response) => /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("content-range") ?? "");

// The size, from the answer to a first byte.
async function begin() {
  const response = await ask(0, 0);
  if (response.status === 206) {
    const match = numbers(response);
    response.body?.cancel();
    if (!match) throw new Error("the server does not let other pages read the size of the file (Content-Range)");
    tag = response.headers.get("etag");
    return Number(match[3]);
  }
  if (response.status === 416) return 0;
  if (response.status !== 200) throw new Error(`the server answered ${response.status}`);
  whole = await take(response, MOST);
  if (whole.length === MOST) throw new Error("the server does not support ranges: download the file and drop it here");
  return whole.length;
}

async function read(offset, length) {
  if (whole) return whole.slice(offset, offset + length);
  const wanted = Math.min(length, size - offset);
  if (wanted <= 0) return new Uint8Array(0);
  const response = await ask(offset, offset + wanted - 1);
  const match = numbers(response);
  if (response.status !== 206 || !match || Number(match[1]) !== offset) {
    throw new Error(`the server did not send the requested range (${response.status})`);
  }
  if (Number(match[3]) !== size || response.headers.get("etag") !== tag) {
    throw new Error("the file changed while it was read");
  }
  const bytes = await take(response, wanted);
  if (bytes.length !== wanted) throw new Error("the connection ended too early");
  return bytes;
}

addEventListener("message", async ({source, origin, data, ports: [port]}) => {
  if (source !== parent || origin !== location.origin || address !== undefined || !port) return;
  ({address} = data);
  port.addEventListener("message", async ({data: {id, offset, length}}) => {
    try {
      const bytes = await read(offset, length);
      port.postMessage({id, bytes}, [bytes.buffer]);
    } catch (error) {
      port.postMessage({id, problem: error.message});
    }
  });
  port.start();
  try {
    size = await begin();
    port.postMessage({size});
  } catch (error) {
    port.postMessage({problem: error.message});
  }
});
