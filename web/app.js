// The page: takes files in, has them judged in a worker, and shows what was found.

import {loadProgram, startJudge, warmUp} from "./ask.js";
import {replace, size} from "./dom.js";
import {FileList} from "./files.js";
import {takeIn} from "./intake.js";
import {showResult} from "./result.js";

const at = (id) => document.getElementById(id);

// From here on nothing can be fetched, whatever is in a file: not even from the page's own server.
// Policies add up, so that this one cannot be taken back.
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

  const files = new FileList(at("files"), (source) => open(source));

  // A file that comes while another is judged takes its place: the worker is ended, as it could be busy
  // for a while with a header of a million keys.
  async function open(source) {
    const mine = ++turn;
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
      at("progress").textContent = `Judging ${source.name}: ${size(taken)} of ${size(whole)} read`;
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
      trouble(`${source.name} was not judged: ${error.message}. Do not load it.`);
    } finally {
      if (mine === turn) at("working").hidden = true;
    }
  }

  takeIn({
    drop: at("drop"), input: at("file"), form: at("address-form"), address: at("address"), trouble,
    take: (sources, notes) => files.add(sources, notes),
  });
  document.documentElement.dataset.ready = "yes";
  warmUp(program).catch(() => {});  // what went wrong there goes wrong with a file as well, and is told then
}

addEventListener("unhandledrejection", ({reason}) => trouble(`This could not be shown: ${reason?.message ?? reason}`));
at("not-running").hidden = true;
start().catch((error) => trouble(`The page could not start: ${error.message}`));
