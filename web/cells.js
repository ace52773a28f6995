// The layout as cells of equal size. A shared cell belongs to its largest region. Adjacent cells of one
// region are a run.

// drawn(regions, {from, to, cells}) takes regions of the whole file in its order and draws [from, to).
export function drawn(regions, {from, to, cells}) {
  const perCell = (to - from) / cells;
  const owner = new Array(cells).fill(null);   // the region that has most of the cell
  const owned = new Float64Array(cells);       // its share of the cell
  const several = new Uint8Array(cells);
  const kinds = new Map();
  let headerEnd = 0;
  let place = 0;
  for (const region of regions) {
    const {kind, offset, length} = region;
    const total = kinds.get(kind) ?? {kind, bytes: 0, regions: 0};
    kinds.set(kind, total);
    total.bytes += length;
    ++total.regions;
    region.odd = place++ % 2 === 1;
    if (kind === "header" || kind === "metadata" || kind === "tensor info") headerEnd = Math.max(headerEnd, offset + length);
    const begin = Math.max(offset, from);
    const end = Math.min(offset + length, to);
    if (begin >= end) continue;
    const last = Math.min(cells - 1, Math.ceil((end - from) / perCell) - 1);
    for (let cell = Math.min(cells - 1, Math.floor((begin - from) / perCell)); cell <= last; ++cell) {
      const share = Math.min(end, from + (cell + 1) * perCell) - Math.max(begin, from + cell * perCell);
      if (owner[cell]) several[cell] = 1;
      if (share > owned[cell]) {
        owned[cell] = share;
        owner[cell] = region;
      }
    }
  }
  return {from, to, cells, headerEnd, runs: runsOf(owner, several), kinds: [...kinds.values()]};
}

function runsOf(owner, several) {
  const runs = [];
  for (let cell = 0; cell < owner.length; ++cell) {
    const region = owner[cell];
    const last = runs.at(-1);
    if (!region) continue;
    if (last && last.cell + last.cells === cell && last.offset === region.offset && last.kind === region.kind) {
      ++last.cells;
      last.several ||= several[cell] === 1;
      continue;
    }
    runs.push({index: runs.length, cell, cells: 1, kind: region.kind, odd: region.odd, offset: region.offset,
               length: region.length, name: (region.name ?? "").slice(0, 120), several: several[cell] === 1});
  }
  return runs;
}
