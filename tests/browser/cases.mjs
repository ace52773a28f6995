// Every output that a browser shows, one line each; outputs_test.mjs passes hostile models through all.
//
//   name     of the test and of its screenshots, build/browser/shots/NAME-…
//   command  what ggufgate is given; FILES is the place of models: of one after the other where `each`
//            is true, else of all of them at once. What it prints is shown.
export const cases = [
  {name: "inspect", command: ["inspect", "--format", "html", "FILES"], each: true},
  {name: "check", command: ["check", "--format", "html", "--verbose", "FILES"], each: false},
];
