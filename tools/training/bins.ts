/** Quantile binning: at most 63 bins per feature with about as many rows each, so that trees are split on histograms. */

/** A column of bins and its thresholds for each feature: bin b has the values ≤ thresholds[b] and > thresholds[b - 1]. */
export interface Binned {
  readonly rows: number;
  readonly columns: readonly Uint8Array[];
  readonly thresholds: readonly Float64Array[];
}

const maxBins = 63;

/** Bins the values of all rows. */
export function bin(features: number, rows: number, value: (row: number, feature: number) => number): Binned {
  const columns: Uint8Array[] = [];
  const thresholds: Float64Array[] = [];
  const values = new Float64Array(rows);
  for (let feature = 0; feature < features; feature += 1) {
    for (let row = 0; row < rows; row += 1) values[row] = value(row, feature);
    const cuts = cutsOf(values);
    const column = new Uint8Array(rows);
    for (let row = 0; row < rows; row += 1) column[row] = binOf(cuts, values[row]!);
    columns.push(column);
    thresholds.push(cuts);
  }
  return { rows, columns, thresholds };
}

/** The features of both, for the same rows. */
export function beside(left: Binned, right: Binned): Binned {
  return {
    rows: left.rows,
    columns: [...left.columns, ...right.columns],
    thresholds: [...left.thresholds, ...right.thresholds],
  };
}

/** Upper bounds of all bins but the last, halfway between values that occur. */
function cutsOf(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  const cuts: number[] = [];
  const step = sorted.length / maxBins;
  for (let at = step; at < sorted.length; at += step) {
    const index = Math.floor(at);
    const cut = sorted[index]!;
    let next = index + 1;
    while (next < sorted.length && sorted[next] === cut) next += 1;
    if (next >= sorted.length) break;
    const middle = Number(((cut + sorted[next]!) / 2).toPrecision(6));
    const exact = middle >= cut && middle < sorted[next]! ? middle : cut;
    if (cuts.length === 0 || exact > cuts.at(-1)!) cuts.push(exact);
    at = Math.max(at, next - step);
  }
  const first = sorted[0]!;
  if (cuts.length > 0 && cuts[0]! > first) {
    // The lowest value gets its own bin if it is frequent: it often means "none".
    let next = 0;
    while (sorted[next] === first) next += 1;
    if (next > step && sorted[next]! <= cuts[0]!) cuts.unshift(first);
  }
  return Float64Array.from(cuts.slice(0, maxBins - 1));
}

function binOf(cuts: Float64Array, value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= cuts[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}
