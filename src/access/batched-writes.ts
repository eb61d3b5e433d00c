/** Collects small writes and flushes them every few seconds, one write at a time. */

export interface BatchWriter {
  /** Writes what is not written yet. */
  write(): Promise<void>;
  /** Writes it, and stops. */
  close(): Promise<void>;
}

/** `writeBatch` takes what was collected. It must handle its own failures; one that it does not handle is dropped with its batch. */
export function createBatchWriter(everyMs: number, writeBatch: () => Promise<void>): BatchWriter {
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    writing = writing.then(writeBatch).catch(() => {});
    return writing;
  };
  const timer = setInterval(() => void write(), everyMs);
  timer.unref();
  return {
    write,
    close() {
      clearInterval(timer);
      return write();
    },
  };
}
