/** Which processes have readers of a run of this one. Each counts for a while, which saying it again renews. */
export interface RemoteReaders {
  /** `attach` counts the process in as one reader, if it is not yet; it gives what counts it out. */
  note(search_id: string, process: string, attach: () => (() => void) | undefined): void;
  leave(search_id: string, process: string): void;
  has(search_id: string): boolean;
  of(search_id: string): Iterable<string>;
  close(): void;
}

interface Reader {
  readonly timer: NodeJS.Timeout;
  readonly leave: () => void;
}

export function createRemoteReaders(countsMs: number): RemoteReaders {
  const bySearch = new Map<string, Map<string, Reader>>();

  function add(search_id: string, process: string, detach: () => void): void {
    const readers = bySearch.get(search_id) ?? new Map<string, Reader>();
    const leave = () => {
      clearTimeout(timer);
      readers.delete(process);
      if (readers.size === 0) bySearch.delete(search_id);
      detach();
    };
    const timer = setTimeout(leave, countsMs);
    bySearch.set(search_id, readers.set(process, { timer, leave }));
  }

  return {
    note(search_id, process, attach) {
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
