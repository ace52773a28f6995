// Every output that a browser shows, one line each; outputs_test.mjs passes hostile models through all.
//
//   name     of the test and of its screenshots, build/browser/shots/NAME-…
//   command  the arguments of ggufgate, whose output is shown. FILES is replaced by one model per run if `each`
//            is true, otherwise by all models.
export const cases = [
  {name: "inspect", command: ["inspect", "--format", "html", "FILES"], each: true},
  {name: "check", command: ["check", "--format", "html", "--verbose", "FILES"], each: false},
];
