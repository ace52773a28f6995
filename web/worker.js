// The worker: the gate and its open file.

import {Gate} from "./gate/src/index.js";
import {Session} from "./session.js";
import {smallFile, warm} from "./warm.js";

let session;

const questions = {
  open: (argument) => session.open(argument, (progress) => postMessage({progress})),
  findings: (argument) => session.findings(argument),
  keys: (argument) => session.keys(argument),
  elements: (argument) => session.elements(argument),
  text: (argument) => session.text(argument),
  tensors: (argument) => session.tensors(argument),
  regions: (argument) => session.regions(argument),
  layout: (argument) => session.layout(argument),
  parts: (argument) => session.parts(argument),
  bytes: (argument) => session.bytes(argument),
};

// One after the other: the program in WebAssembly has one memory.
let last = Promise.resolve();

addEventListener("message", ({data: {id, what, argument}}) => {
  last = last.then(async () => {
    try {
      if (what === "start") session = await Session.start(argument);
      else if (what === "prepare") await session.prepare(smallFile()).catch(() => {});  // an error occurs again with a file
      else if (what === "warm") postMessage({id, answer: await warm(await Gate.load(argument))});
      else postMessage({id, answer: await questions[what](argument)});
    } catch (error) {
      postMessage({id, problem: error.message});
    }
  });
});
