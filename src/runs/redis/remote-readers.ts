/** The other processes that have readers of this process's runs. Each one expires unless it is renewed. */
export interface RemoteReaders {
  /** Adds or renews the process. `attach` is called when it is new, and returns the function that removes it again. */
  renew(search_id: string, process: string, attach: () => (() => void) | undefined): void;
  leave(search_id: string, process: string): void;
  has(search_id: string): boolean;
  of(search_id: string): Iterable<string>;
  close(): void;
}

interface Reader {
  readonly timer: NodeJS.Timeout;
  readonly leave: () => void;
}

/** `ttlMs` is how long a process counts after its last renewal. */
export function createRemoteReaders(ttlMs: number): RemoteReaders {
  const bySearch = new Map<string, Map<string, Reader>>();

  function add(search_id: string, process: string, detach: () => void): void {
    const readers = bySearch.get(search_id) ?? new Map<string, Reader>();
    const leave = () => {
      clearTimeout(timer);
      readers.delete(process);
      if (readers.size === 0) bySearch.delete(search_id);
      detach();
    };
    const timer = setTimeout(leave, ttlMs);
    bySearch.set(search_id, readers.set(process, { timer, leave }));
  }

  return {
    renew(search_id, process, attach) {
      const known = bySearch.get(search_id)?.get(process);
      if (known !== undefined) return void known.timer.refresh();
      const detach = attach();
      if (detach !== undefined) add(search_id, process, detach);
    },
    leave: (search_id, process) => bySearch.get(search_id)?.get(process)?.leave(),
    has: (search_id) => bySearch.has(search_id),
    of: (search_id) => bySearch.get(search_id)?.keys() ?? [],
    close() {
      for (const readers of [...bySearch.values()]) for (const { leave } of [...readers.values()]) leave();
    },
  };
}
