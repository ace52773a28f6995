// serve serves the files of one folder on a free port of this machine. It supports ranges and records the requests.
// It lists no folders and serves no file outside the folder.

import {createReadStream, statSync} from "node:fs";
import {createServer} from "node:http";
import {extname, join, normalize, sep} from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// The first and last byte of the requested range; null if the range lies outside the file.
function rangeOf(header, size) {
  const match = /^bytes=(\d+)-(\d*)$/.exec(header ?? "");
  if (!match) return {first: 0, last: size - 1, partial: false};
  const first = Number(match[1]);
  const last = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return first <= last ? {first, last, partial: true} : null;
}

function answer(folder, request, response, headers) {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  let file = join(folder, path.endsWith(sep) ? join(path, "index.html") : path);
  let size = null;
  try {
    const stat = statSync(file);
    if (stat.isFile()) size = stat.size;
  } catch {
    size = null;
  }
  if (size === null || !file.startsWith(folder + sep)) {
    response.writeHead(404, headers).end();
    return;
  }
  const range = rangeOf(request.headers.range, size);
  if (!range) {
    response.writeHead(416, {"Content-Range": `bytes */${size}`, ...headers}).end();
    return;
  }
  const {first, last, partial} = range;
  response.writeHead(partial ? 206 : 200, {
    "Accept-Ranges": "bytes",
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    "Content-Length": last - first + 1,
    ...(partial ? {"Content-Range": `bytes ${first}-${last}/${size}`} : {}),
    ...headers,
  });
  if (request.method === "HEAD" || size === 0) response.end();
  else createReadStream(file, {start: first, end: last}).pipe(response);
}

export async function serve(folder, headers = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push({path: request.url, range: request.headers.range ?? null});
    answer(folder, request, response, headers);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    asked,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
