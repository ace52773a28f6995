// Bytes of a file that the visitor chose, or of one that the frame fetches.

// Browsers say it in words of their own.
const WHY = {
  NotFoundError: "the file is not there any more",
  NotReadableError: "the file cannot be read, or has changed since it was chosen",
};

export const fileReader = (file) => async (offset, length) => {
  try {
    return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  } catch (error) {
    throw new Error(WHY[error.name] ?? error.message);
  }
};

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
