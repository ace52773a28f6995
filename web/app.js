// The page: takes files, lets a worker check them, and shows the results.

import {loadProgram, startJudge, warmUp} from "./ask.js";
import {replace, size} from "./dom.js";
import {FileList} from "./files.js";
import {takeIn} from "./intake.js";
import {drawOnce, showResult} from "./result.js";

const at = (id) => document.getElementById(id);

// From here on nothing can be fetched, not even from the server of the page. Policies add up, so nothing
// can remove this one.
function sever() {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "connect-src 'none'";
  document.head.append(policy);
}

function trouble(text) {
  at("trouble").textContent = text;
  at("trouble").hidden = false;
}

async function start() {
  const program = await loadProgram();
  sever();
  let judge = startJudge(program);
  let turn = 0;
  let warming;

  const files = new FileList(at("files"), (source) => open(source));

  // A new file replaces one that is being checked: its worker is stopped, because a header of a million
  // keys could keep it busy.
  async function open(source) {
    const mine = ++turn;
    warming?.end();
    if (judge.busy || judge.used) {
      judge.end();
      judge = startJudge(program);
    }
    at("trouble").hidden = true;
    at("result").hidden = true;
    replace(at("result"));
    at("working").hidden = false;
    at("progress").textContent = `Reading ${source.name}`;
    judge.progress = ({taken, size: whole}) => {
      at("progress").textContent = `Checking ${source.name}: ${size(taken)} of ${size(whole)} read`;
    };
    const began = performance.now();
    try {
      const overview = await judge.open(source);
      if (mine !== turn) return;
      overview.milliseconds = performance.now() - began;
      files.judged(source, overview);
      showResult(at("result"), overview, judge);
      at("result").hidden = false;
      document.body.classList.add("judged");
      at("result").querySelector("h2").focus({preventScroll: true});
    } catch (error) {
      if (mine !== turn) return;
      files.failed(source);
      trouble(`${source.name} was not checked: ${error.message}. Do not load it.`);
    } finally {
      if (mine === turn) at("working").hidden = true;
    }
  }

  takeIn({
    drop: at("drop"), input: at("file"), form: at("address-form"), address: at("address"), trouble,
    take: (sources, notes) => files.add(sources, notes),
  });
  document.documentElement.dataset.ready = "yes";
  drawOnce(at("result"));
  // An error here occurs again with a file, and is reported then.
  warming = warmUp(program);
  await warming.done.catch(() => {});
  if (!judge.used) judge.tell("prepare");
}

addEventListener("unhandledrejection", ({reason}) => trouble(`Cannot show this: ${reason?.message ?? reason}`));
at("not-running").hidden = true;
start().catch((error) => trouble(`The page cannot start: ${error.message}`));
