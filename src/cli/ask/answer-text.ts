/**
 * Prints an answer while it is generated. A search that its server lost is restarted, and its answer starts over: a terminal
 * does not get the common beginning twice, and if the new answer differs it is printed in full below. A pipe gets one
 * answer, once it is complete.
 */
export interface AnswerText {
  add(text: string): void;
  restart(): void;
  /** The text added since the last restart. */
  text(): string;
  /** The answer is complete. */
  end(): void;
}

/** `write` receives the text to print. */
export function createAnswerText(options: {
  readonly write: (text: string) => void;
  /** Whether to print before the answer is complete. */
  readonly isLive: boolean;
  /** Called before a restarted answer that differs from the printed text is printed in full. */
  readonly onMismatch: () => void;
}): AnswerText {
  const { write, isLive, onMismatch } = options;
  let answer = '';
  let printed = '';

  function print(): void {
    if (!answer.startsWith(printed)) {
      onMismatch();
      printed = '';
    }
    write(answer.slice(printed.length));
    printed = answer;
  }

  return {
    add(text) {
      answer += text;
      if (isLive && !printed.startsWith(answer)) print();
    },
    restart() {
      answer = '';
    },
    text: () => answer,
    end: print,
  };
}
