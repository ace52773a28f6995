// Bytes of a file that the frame fetches.

export function portReader(port) {
  const waiting = new Map();
  let next = 0;
  port.addEventListener("message", ({data: {id, bytes, problem}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) resolve(bytes);
    else reject(new Error(problem));
  });
  port.start();
  return (offset, length) => new Promise((resolve, reject) => {
    const id = ++next;
    waiting.set(id, {resolve, reject});
    port.postMessage({id, offset, length});
  });
}
