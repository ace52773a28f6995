// Every output that a browser shows, one line each; outputs_test.mjs passes hostile models through all.
//
//   name     of the test and of its screenshots, build/browser/shots/NAME-…
//   command  what ggufgate is given; FILES is the place of models: of one after the other where `each`
//            is true, else of all of them at once. What it prints is shown.
//   type     html or svg
export const cases = [
  {name: "inspect", command: ["inspect", "--format", "html", "FILES"], each: true, type: "html"},
  {name: "check", command: ["check", "--format", "html", "--verbose", "FILES"], each: false, type: "html"},
  {name: "weights", command: ["dequantize", "--stats", "--format", "html", "--despite-findings", "FILES"], each: true,
    type: "html"},
  {name: "weights-svg", command: ["dequantize", "--stats", "--format", "svg", "--despite-findings", "FILES"], each: true,
    type: "svg"},
];
