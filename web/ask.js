// The judge lives in a worker, so that the page stays alive whatever the file costs. Questions go there
// and answers come back, each with its number.

const PROGRAM = "gate/ggufgate.wasm";

export async function loadProgram() {
  const response = await fetch(PROGRAM);
  if (!response.ok) throw new Error(`${PROGRAM} is not there`);
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  return typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

// A worker from an address of its own would have no content security policy but its server's. One that
// begins at the page has the page's.
function workerAddress() {
  const code = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
  const address = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
  const policy = globalThis.trustedTypes?.createPolicy("ggufgate-worker", {createScriptURL: (text) => text});
  return policy ? policy.createScriptURL(address) : address;
}

let address;

class Judge {
  #worker;
  #waiting = new Map();
  #next = 0;
  #dead = null;  // why it answers no more
  used = false;
  progress = () => {};

  constructor() {
    address ??= workerAddress();
    this.#worker = new Worker(address, {type: "module"});
    this.#worker.addEventListener("message", ({data}) => this.#answer(data));
    this.#worker.addEventListener("error", (event) => this.#fail(event.message || "the worker ended"));
  }

  get busy() {
    return this.#waiting.size > 0;
  }

  // What a file is opened from is asked for by its source, which may have to be got ready.
  async open(source) {
    this.used = true;
    const {argument, transfer} = await source.open();
    return this.ask("open", argument, transfer);
  }

  tell(what, argument) {
    this.#send({what, argument});
  }

  ask(what, argument, transfer = []) {
    return new Promise((resolve, reject) => {
      if (this.#dead) throw new Error(this.#dead);
      const id = ++this.#next;
      this.#waiting.set(id, {resolve, reject});
      this.#send({id, what, argument}, transfer);
    });
  }

  // Who still waits for an answer is never told: what it was for is gone from the page.
  end() {
    this.#worker.terminate();
    this.#waiting.clear();
  }

  #send(message, transfer = []) {
    this.#worker.postMessage(message, transfer);
  }

  #answer({id, answer, problem, progress}) {
    if (progress) {
      this.progress(progress);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (problem === undefined) waiting?.resolve(answer);
    else if (waiting) waiting.reject(new Error(problem));
    else this.#fail(problem);
  }

  #fail(problem) {
    this.#dead = problem;
    for (const {reject} of this.#waiting.values()) reject(new Error(problem));
    this.#waiting.clear();
  }
}

export function startJudge(program) {
  const judge = new Judge();
  judge.tell("start", program);
  return judge;
}

// In a worker of its own, which is ended once a file comes, so that no file waits for it; what it took is given back.
export function warmUp(program) {
  const judge = new Judge();
  return {done: judge.ask("warm", program).finally(() => judge.end()), end: () => judge.end()};
}
