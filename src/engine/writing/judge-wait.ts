/**
 * The wait of an answer's text for a judge. It begins at a claim in doubt and ends with the text, with verdicts on what has been
 * written so far, or when it takes longer than they are worth.
 */
import type { ClaimInDoubt, ClaimsJudge, Verdicts } from './judge-claims.ts';

/**
 * How long text may wait, ms, and how long before the judge is asked while the rest is still being written. Set by hand:
 * readers notice more, and claims that follow each other closely are judged in one call.
 */
const maxWaitMs = 4_000;
const askAfterMs = 1_000;
/** Calls of the judge while one answer is written; set by hand. */
const maxAsked = 5;

export interface JudgeWait {
  /** Whether text waits. */
  isOn(): boolean;
  /** Whether text may wait at a claim in doubt: there is a judge, and it was not given up. */
  isPossible(): boolean;
  begin(): void;
  /**
   * To be called whenever more text has joined what waits. Returns the verdicts with which the text goes on (an empty map if it goes on
   * without a judge), or undefined if it still waits. `survey` returns the claims in doubt in the text that waits.
   */
  check(survey: () => readonly ClaimInDoubt[]): Verdicts | undefined;
  /** The text is complete or broke off: nothing waits any more. */
  end(): void;
}

/** The wait of one answer; without a judge, nothing ever waits. */
export function createJudgeWait(judge: ClaimsJudge | undefined): JudgeWait {
  let since: number | undefined;
  let asked = 0;
  let isPossible = judge !== undefined;

  function end(): void {
    judge?.stop();
    since = undefined;
    isPossible = false;
  }

  return {
    isOn: () => since !== undefined,
    isPossible: () => isPossible,
    begin() {
      since = performance.now();
    },
    check(survey) {
      if (since === undefined) return noVerdicts;
      const verdicts = judge?.take();
      if (verdicts !== undefined) {
        since = undefined;
        return verdicts;
      }
      const ms = performance.now() - since;
      if (ms >= maxWaitMs) {
        end();
        return noVerdicts;
      }
      if (judge?.isAsked() === false && ms >= askAfterMs && asked < maxAsked) {
        asked += 1;
        judge.ask(survey());
      }
      return undefined;
    },
    end,
  };
}

const noVerdicts: Verdicts = new Map();
