/**
 * The tasks of a pool that wait for a worker: those of the search that began first are next. A search with two rounds would
 * otherwise wait a second time for all that came after it, and its answer would take twice as long as that of any other.
 */
import { queueOptionsSymbol, type TaskQueue } from 'piscina';

type Task = Parameters<TaskQueue['push']>[0];

/** Searches and other tasks are numbered as they come, in all pools together. */
let arrivals = 0;
const searches = new WeakMap<AbortSignal, number>();

/** The task, marked as part of the search with this signal. */
export function asPartOf<Part>(task: Part, search: AbortSignal): Part {
  const turn = searches.get(search) ?? ++arrivals;
  searches.set(search, turn);
  return { ...task, [queueOptionsSymbol]: { turn } };
}

/** An empty queue. Tasks that are part of no search take turns with them in the order in which they come. */
export function createOldestFirst(): TaskQueue {
  const turns = new WeakMap<Task, number>();
  /** In order. */
  const tasks: Task[] = [];

  function turnOf(task: Task): number {
    const known = turns.get(task);
    if (known !== undefined) return known;
    const { turn = ++arrivals } = (task[queueOptionsSymbol] ?? {}) as { turn?: number };
    turns.set(task, turn);
    return turn;
  }

  /** Before or after the tasks that have the same turn. */
  function insert(task: Task, isBefore: (other: number, own: number) => boolean): void {
    const own = turnOf(task);
    let at = tasks.length;
    while (at > 0 && !isBefore(turnOf(tasks[at - 1]!), own)) at -= 1;
    tasks.splice(at, 0, task);
  }

  return {
    get size() {
      return tasks.length;
    },
    shift: () => tasks.shift() ?? null,
    push: (task) => insert(task, (other, own) => other <= own),
    // One that no worker could take after all.
    unshift: (task) => insert(task, (other, own) => other < own),
    remove(task) {
      const at = tasks.indexOf(task);
      if (at !== -1) tasks.splice(at, 1);
    },
  };
}
