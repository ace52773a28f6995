// The gate runs in a worker, so the page stays responsive for any file. Requests and answers have numbers.

const PROGRAM = "gate/ggufgate.wasm";

export async function loadProgram() {
  const response = await fetch(PROGRAM);
  if (!response.ok) throw new Error(`${PROGRAM} is missing`);
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  return typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

// A worker with a separate address has only the content security policy of its server. A worker that the
// page starts from a blob has the policy of the page.
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
  #dead = null;  // the reason why it stopped answering
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

  // The source supplies the object that the worker opens; it may need preparation.
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

  // Pending requests get no answer: their part of the page is gone.
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

// Runs in a separate worker that stops when a file comes, so that no file waits for it. Its memory is freed.
export function warmUp(program) {
  const judge = new Judge();
  return {done: judge.ask("warm", program).finally(() => judge.end()), end: () => judge.end()};
}
