/**
 * An answer as it is typed out. A search that its server lost is begun anew and answers from the start again: at a terminal
 * what is the same is not said twice, and where the new answer differs it is said whole, below; a pipe gets one answer,
 * when it is complete.
 */
export interface AnswerText {
  add(text: string): void;
  beginAnew(): void;
  /** The answer is complete. */
  end(): void;
}

export function createAnswerText(options: {
  readonly write: (text: string) => void;
  /** Whether somebody watches. */
  readonly isLive: boolean;
  /** Called before an answer that differs from what was said is said from its start. */
  readonly onOther: () => void;
}): AnswerText {
  const { write, isLive, onOther } = options;
  let answer = '';
  let said = '';

  function say(): void {
    if (!answer.startsWith(said)) {
      onOther();
      said = '';
    }
    write(answer.slice(said.length));
    said = answer;
  }

  return {
    add(text) {
      answer += text;
      if (isLive && !said.startsWith(answer)) say();
    },
    beginAnew() {
      answer = '';
    },
    end: say,
  };
}
