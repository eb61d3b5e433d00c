/**
 * How a streamed answer ended. Some endpoints say its end with every piece, with the last words as well as the first, so that what is said
 * beside the first words or before more of them is no proof that the answer is complete. Others say it once, beside the last words.
 */
import type { Finish } from './wire.ts';

export interface Ending {
  /** As in `CompletionParser`. */
  readonly finish: Finish | undefined;
  readonly isEndDoubtful: boolean;
  /** Returns `text`, which this piece of the answer has, beside thoughts or not, and the end that it said. */
  take(text: string, said?: Finish, hasThoughts?: boolean): string;
  /** The endpoint has said that nothing more will come. */
  close(): void;
}

/** Of one answer, of which nothing is known yet. */
export function createEnding(): Ending {
  let finish: Finish | undefined;
  let isDoubtful = false;
  /** Whether words or thoughts came without an end: the endpoint does not say it with every piece. */
  let hasOpen = false;
  return {
    get finish() {
      return finish;
    },
    get isEndDoubtful() {
      return isDoubtful;
    },
    take(text, said, hasThoughts = false) {
      if (text !== '' || hasThoughts) {
        if (finish !== undefined || (said !== undefined && !hasOpen)) isDoubtful = true;
        hasOpen ||= said === undefined;
      }
      finish = said ?? finish;
      return text;
    },
    close() {
      finish ??= 'stop';
    },
  };
}
