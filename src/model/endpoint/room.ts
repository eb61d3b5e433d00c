/** The room of one call: how much of the evidence its prompt shows, and how long its answer may be. */
import type { Call } from './call.ts';
import { piecesWithin, promptTokens } from './context-limit.ts';
import type { Lessons } from './lessons.ts';
import { contextIn, isAboutBoth, type OutputLimit, promptLimitIn } from './stated-limits.ts';

export interface Room {
  /** How many pieces of the evidence the prompt shows. */
  pieces(): number;
  /** Tokens of the prompt, estimated. */
  promptTokens(): number;
  /** The longest answer, in tokens. */
  answerTokens(): number;
  /** Takes a limit of the answer. False if it leaves none. */
  limitAnswer(limit: OutputLimit): boolean;
  /** Leaves out what the answer does not need, then evidence, as a complaint says. False if there is nothing left of either. */
  shorten(complaint: string): boolean;
  /** Gives the answer more room after it was cut off. False if it has had enough, or `left` tokens do not allow more. */
  grow(left: number): boolean;
  /** Passes on what was learned. */
  succeeded(): void;
}

/** Each time that reasoning has used up an answer's room, it gets four times as much, at most twice. Set by hand. */
const growth = 4;
const maxGrowths = 2;
/** Tokens that are kept free in a context beside prompt and answer: estimates are not exact. Set by hand. */
const contextMargin = 100;
/** The shortest answer that is asked for where the prompt leaves no more room. Set by hand: holds a plan. */
const minAnswer = 100;

/** The room as far as the lessons so far allow; `context` is its length as the operator set it, and `search` what its lessons are by. */
export function createRoom(call: Call, context: number | undefined, lessons: Lessons, search: object): Room {
  /** The length of the context, as far as it is known, and as the endpoint has named it to this call. */
  let window = context ?? lessons.window();
  let named: number | undefined;
  let promptLimit = Number.POSITIVE_INFINITY;
  let answerLimit = Number.POSITIVE_INFINITY;
  let statedOutput: number | undefined;
  /** What the answer gets beyond its own limit, for reasoning. */
  let extra = 0;
  let growths = 0;
  let eaten = 0;
  let tooLong = 0;
  let pieces = call.evidence.length;

  const tokens = () => promptTokens(call, pieces);
  const answerTokens = () => Math.min(call.maxTokens + extra, answerLimit, lessons.outputLimit());
  const besidePrompt = () => window - tokens() - contextMargin;
  const besideAnswer = () => window - answerTokens() - contextMargin;
  /** An answer may take what the prompt leaves of the context, and half of it in any case: then evidence gives way. */
  const mostOfContext = () => Math.floor(Math.max(window / 2, besidePrompt()));

  extra = Math.min(call.maxTokens + lessons.reasoningTokens(), mostOfContext()) - call.maxTokens;
  // What the endpoint has named in one search cuts the evidence of others only where it makes room for reasoning.
  if (context !== undefined || extra > 0) pieces = piecesWithin(call, besideAnswer());
  const fitting = lessons.limitFor(tokens());
  if (fitting !== undefined) pieces = Math.min(pieces, piecesWithin(call, fitting));

  return {
    pieces: () => pieces,
    promptTokens: tokens,
    answerTokens,

    limitAnswer(limit) {
      // A guess is true of this call alone.
      statedOutput = limit.isStated ? limit.tokens : undefined;
      answerLimit = limit.tokens;
      return answerLimit > 0;
    },

    shorten(complaint) {
      const before = tokens();
      const asked = answerTokens();
      const ofPrompt = promptLimitIn(complaint);
      if (ofPrompt !== undefined) promptLimit = Math.min(promptLimit, ofPrompt - contextMargin);
      else named = contextIn(complaint) ?? named;
      if (named !== undefined) {
        window = named;
        answerLimit = Math.min(answerLimit, mostOfContext());
        if (answerTokens() < asked && answerTokens() <= besidePrompt()) return true;
      }
      const fits = piecesWithin(
        call,
        Math.min(named === undefined ? Number.POSITIVE_INFINITY : besideAnswer(), promptLimit),
      );
      const next = fits < pieces ? fits : Math.floor(pieces / 2);
      if (next < 1) {
        const half = isAboutBoth(complaint) ? Math.max(minAnswer, Math.floor(asked / 2)) : asked;
        answerLimit = Math.min(answerLimit, call.maxTokens, half);
        return answerTokens() < asked;
      }
      // A prompt that is too long beside reasoning is not too long as such.
      if (extra <= 0) tooLong = before;
      pieces = next;
      return true;
    },

    grow(left) {
      const before = answerTokens();
      const affordable = Math.floor(left - tokens());
      const wanted = Math.min(growth * before, answerLimit, lessons.outputLimit(), besidePrompt(), affordable);
      if (growths >= maxGrowths || wanted <= before) return false;
      growths += 1;
      eaten = before;
      extra = wanted - call.maxTokens;
      return true;
    },

    succeeded() {
      // Not every endpoint reports its reasoning: it was more than this.
      lessons.reasoned(eaten);
      if (statedOutput !== undefined && statedOutput < lessons.outputLimit()) lessons.confirmOutputLimit(statedOutput);
      if (named !== undefined && named !== lessons.window()) lessons.confirmWindow(named);
      if (tooLong > 0) lessons.confirmContext(tooLong, tokens(), search);
      else lessons.fits(tokens());
    },
  };
}
