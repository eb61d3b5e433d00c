/** Closes what was opened, the last part first. */

export interface Closers {
  /** Has the part closed by `closeAll`; returns it. */
  opened<Part extends { close(): unknown }>(part: Part): Part;
  /** Has this called by `closeAll`. */
  onClose(close: () => unknown): void;
  /**
   * Closes every part that is still open, one after the other. Rejects with what a part rejects with; those opened before it then
   * stay open.
   */
  closeAll(): Promise<void>;
}

/** Without any parts yet. */
export function createClosers(): Closers {
  const closers: (() => unknown)[] = [];
  return {
    opened(part) {
      closers.push(() => part.close());
      return part;
    },
    onClose: (close) => void closers.push(close),
    async closeAll() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
