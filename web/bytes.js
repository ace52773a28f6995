// The bytes and their meaning: the viewer of view/ with data from the worker.

import {h, replace} from "./dom.js";

// A viewer gets this many regions around its position: a file can have millions.
const WINDOW = 20_000;

export function bytesView(overview, judge) {
  const root = h("div", {class: "bytes"});
  let view = null;
  let window = null;  // the range of the file whose regions the viewer has
  let last = Promise.resolve();

  async function open(offset) {
    if (view && offset >= window.from && offset < window.to) return;
    const [{layOpen}, around, {rows: findings}] = await Promise.all([
      import("./view/laid_open.js"),
      judge.ask("regions", {around: offset, count: WINDOW}),
      judge.ask("findings", {from: 0, count: 1000, severities: ["error", "warning", "note"]}),
    ]);
    view?.destroy();
    const regions = around.rows.map(({name: subject = "", ...region}) => ({
      ...region, subject, name: subject ? `${region.kind} ${subject}` : region.kind,
    }));
    const end = regions.at(-1);
    window = {from: regions[0]?.offset ?? 0, to: end ? end.offset + end.length : overview.size};
    replace(root);
    view = layOpen(root, {
      name: overview.name, size: overview.size, regions, findings,
      parts: (region, from, most) => judge.ask("parts", {region: region.index, from, most}),
      bytes: (from, length) => judge.ask("bytes", {offset: from, length}),
      stretches: [[window.from, window.to - window.from]],
      left_out: regions.length < around.total
        ? `These are ${regions.length.toLocaleString("en")} of ${around.total.toLocaleString("en")} regions, around the selected offset.` : "",
    });
  }

  // One after the other: the first call opens the viewer, the next ones reuse it.
  const then = (action) => (last = last.then(action, action));
  return {
    root,
    shown: () => then(() => open(window?.from ?? 0)),
    go: (offset, length) => then(async () => {
      if (overview.size === 0) return;
      const place = Math.min(offset, overview.size - 1);
      await open(place);
      view.goTo(place, Math.max(1, Math.min(length ?? 1, overview.size - place)));
    }),
  };
}
