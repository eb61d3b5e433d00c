/** Counts by name. `remove` at 1 forgets the name, so memory is bounded by the names in use. */
export function createCounterMap() {
  const counts = new Map<string, number>();
  const get = (name: string) => counts.get(name) ?? 0;
  return {
    get,
    add: (name: string) => void counts.set(name, get(name) + 1),
    remove: (name: string) => void (get(name) > 1 ? counts.set(name, get(name) - 1) : counts.delete(name)),
  };
}
