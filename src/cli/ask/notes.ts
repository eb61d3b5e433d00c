/**
 * Notes about a search at a terminal: what is noted while the answer is being printed waits until it is complete, so that it
 * is not in the middle of a line.
 */
export interface Notes {
  add(text: string): void;
  /** From now on notes wait. */
  hold(): void;
  /** Writes the notes that wait, and further ones immediately. Returns whether it held any. */
  release(): boolean;
}

/** `write` receives each note, without a line break. */
export function createNotes(write: (text: string) => void): Notes {
  let waiting: string[] | undefined;
  return {
    add(text) {
      if (waiting === undefined) write(text);
      else waiting.push(text);
    },
    hold() {
      waiting ??= [];
    },
    release() {
      const held = waiting ?? [];
      waiting = undefined;
      for (const text of held) write(text);
      return held.length > 0;
    },
  };
}
