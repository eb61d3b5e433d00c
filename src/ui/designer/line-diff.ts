/** Compares two texts line by line and aligns common lines (longest common subsequence). */

export interface DiffRow {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isSame: boolean;
}

/** Longer texts are not aligned but shown as removed and added, as the comparison is quadratic. Set by hand. */
const maxLines = 600;

export function diffLines(before: string, after: string): DiffRow[] {
  const old = before.split('\n');
  const now = after.split('\n');
  if (old.length > maxLines || now.length > maxLines) return [...removed(old), ...added(now)];
  const common = commonLengths(old, now);
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      rows.push({ before: was, after: is, isSame: true });
      i += 1;
      j += 1;
    } else if (is === undefined || (was !== undefined && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      rows.push({ before: was, after: undefined, isSame: false });
      i += 1;
    } else {
      rows.push({ before: undefined, after: is, isSame: false });
      j += 1;
    }
  }
  return pairUp(rows);
}

/** `common[i][j]`: number of common lines in `old` from i and `now` from j. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i]![j] = old[i] === now[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  return common;
}

/** Puts removed lines and the added lines that replace them into the same rows. */
function pairUp(rows: readonly DiffRow[]): DiffRow[] {
  const result: DiffRow[] = [];
  let gone: string[] = [];
  let come: string[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      result.push({ before: gone[at], after: come[at], isSame: false });
    }
    gone = [];
    come = [];
  };
  for (const row of rows) {
    if (row.isSame) {
      flush();
      result.push(row);
    } else if (row.before !== undefined) gone.push(row.before);
    else come.push(row.after!);
  }
  flush();
  return result;
}

function removed(lines: readonly string[]): DiffRow[] {
  return lines.map((before) => ({ before, after: undefined, isSame: false }));
}

function added(lines: readonly string[]): DiffRow[] {
  return lines.map((after) => ({ before: undefined, after, isSame: false }));
}
