/**
 * What is to happen once the current turn of the loop is over, for all that became ready in it: one immediate for a
 * thousand sockets, each of which would cost about as much as what it writes.
 */
let due: (() => void)[] = [];

export function afterTick(act: () => void): void {
  if (due.push(act) === 1) setImmediate(runAll);
}

function runAll(): void {
  const acts = due;
  due = [];
  let done = 0;
  try {
    for (const act of acts) {
      done += 1;
      act();
    }
  } finally {
    // A fault of one is the process's affair, not that of those behind it.
    for (const act of acts.slice(done)) afterTick(act);
  }
}
