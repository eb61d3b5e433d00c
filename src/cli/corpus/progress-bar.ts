/** The progress bar of commands that take minutes. */

export interface ProgressBar {
  /** `total` is 0 until it is known. */
  show(progress: {
    readonly done: number;
    readonly total: number;
    readonly failed?: number;
    /** What is counted, if not pages. */
    readonly unit?: string;
  }): void;
  clear(): void;
}

/** One line that is redrawn in place; nothing when standard error is not a terminal. */
export function createBar(out: NodeJS.WriteStream): ProgressBar {
  const width = 30;
  return {
    show({ done, total, failed = 0, unit }) {
      if (!out.isTTY) return;
      const filled = total === 0 ? 0 : Math.round((width * done) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
      out.write(
        `\r${bar} ${done}/${total}${unit === undefined ? '' : ` ${unit}`}${failed > 0 ? `, ${failed} failed` : ''} `,
      );
    },
    clear() {
      if (out.isTTY) out.write('\r\x1b[K');
    },
  };
}
