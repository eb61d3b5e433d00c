/**
 * The fences of an answer: those of code, which are part of it, and those around its verdict or around the whole of it, which are left
 * out.
 */
import { fence } from './status-patterns.ts';

export interface AnswerFences {
  /** Whether the next line is code. */
  readonly isInCode: boolean;
  /** Whether a fence waits for the next line. */
  readonly isWaiting: boolean;
  /**
   * Takes a whole line, without its end, if it is a fence that is left out, or that may be around the verdict: that one waits for the
   * next line. False for text and for the fences of code.
   */
  take(line: string, before: { readonly isFirst: boolean; readonly hasVerdict: boolean }): boolean;
  /** A verdict comes: the fence that waits is left out, with the one that closes it. */
  leaveOut(): void;
  /** Text comes: the fence that waits opens code. Returns its line, empty if none waits. */
  release(): string;
}

/** The fences of one answer, whose lines are to be taken in order. */
export function createAnswerFences(): AnswerFences {
  /** The marks of the code that this is. */
  let code: string | undefined;
  /** The marks of the fence that was left out. */
  let leftOut: string | undefined;
  /** The line that waits, with its end, and its marks. */
  let waiting: { readonly line: string; readonly marks: string } | undefined;

  return {
    get isInCode() {
      return code !== undefined;
    },
    get isWaiting() {
      return waiting !== undefined;
    },

    take(line, { isFirst, hasVerdict }) {
      const [, marks, rest = ''] = fence.exec(line) ?? [];
      if (marks === undefined) return false;
      const info = rest.trim();
      if (code !== undefined) {
        if (info === '' && marks.startsWith(code)) code = undefined;
        return false;
      }
      if (leftOut !== undefined && info === '' && marks.startsWith(leftOut)) {
        leftOut = undefined;
        return true;
      }
      if (isFirst && /^(?:markdown|md)$/i.test(info)) {
        leftOut = marks;
        return true;
      }
      // After the verdict that was asked for, a fence has code of the answer.
      const mayHoldVerdict = !hasVerdict && /^(?:markdown|md|text|plaintext|txt|json|ya?ml)?$/i.test(info);
      if (!mayHoldVerdict || waiting !== undefined) {
        code = marks;
        return false;
      }
      waiting = { line: `${line}\n`, marks };
      return true;
    },

    leaveOut() {
      if (waiting === undefined) return;
      leftOut = waiting.marks;
      waiting = undefined;
    },

    release() {
      if (waiting === undefined) return '';
      const { line, marks } = waiting;
      code = marks;
      waiting = undefined;
      return line;
    },
  };
}
