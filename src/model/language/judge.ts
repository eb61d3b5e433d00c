/**
 * Judges claims of an answer against the passages that they cite, all in one call. A claim and its passage are one piece of
 * evidence, so that what does not fit an endpoint is left out together, and has no verdict.
 */
import * as z from 'zod';
import { type ClaimVerdict, claimVerdicts } from '../../../protocol/index.ts';
import type { Brief, ClaimToJudge } from '../../engine/ports/model.ts';
import { type Call, type CallSchema, createCall } from '../endpoint/call.ts';
import { numberIn } from './number-in.ts';
import { type Fence, prompts } from './prompts.ts';
import { objectSchema } from './template-schema.ts';

/** Tokens of an answer: a start, and as many for each verdict. Set by hand. */
const maxTokens = { start: 200, each: 20 };

const schema: CallSchema = {
  name: 'verdicts',
  isOurs: true,
  schema: objectSchema({
    verdicts: {
      type: 'array',
      items: objectSchema({ pair: { type: 'integer' }, verdict: { type: 'string', enum: claimVerdicts } }),
    },
  }),
};

/** How models word the verdicts. */
const wordings: readonly (readonly [ClaimVerdict, RegExp])[] = [
  ['supported', /^(?:(?:fully|completely|entirely) )?support(?:ed|s)$/],
  ['partly', /^part(?:ly|ial|ially)(?: support(?:ed|s))?$/],
  ['contradicted', /^contradict(?:ed|s|ion|ory)$/],
  ['unclear', /^(?:unclear|unsupported|not supported|neither|not (?:mentioned|stated))$/],
];

interface Judged {
  /** Undefined if the answer does not number its verdicts. */
  readonly pair: number | undefined;
  /** Undefined if it is not known. */
  readonly verdict: ClaimVerdict | undefined;
}

/** The answer: a list of verdicts, in an object or alone, or an object with a verdict for each number. */
export const Verdicts = z.unknown().transform((answer, context) => {
  const judged = judgedIn(answer);
  if (judged !== undefined) return judged;
  context.issues.push({ code: 'custom', message: 'Expected verdicts.', input: answer });
  return z.NEVER;
});

function judgedIn(answer: unknown): readonly Judged[] | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { verdicts = answer } = answer as { verdicts?: unknown };
  if (Array.isArray(verdicts)) {
    const judged = verdicts.map(judgedOf);
    // A list alone may also be one of an object with the verdicts, or a "[2]" in prose.
    return verdicts !== answer || judged.some(({ verdict }) => verdict !== undefined) ? judged : undefined;
  }
  if (typeof verdicts !== 'object' || verdicts === null) return undefined;
  if ('verdict' in verdicts) return [judgedOf(verdicts)];
  const byNumber = Object.entries(verdicts).map(([pair, verdict]) => judgedOf({ pair, verdict }));
  return byNumber.some(({ verdict }) => verdict !== undefined) ? byNumber : undefined;
}

/** One verdict, or a word that is one. */
function judgedOf(given: unknown): Judged {
  const { pair, verdict = given } = Object(given) as { pair?: unknown; verdict?: unknown };
  return { pair: numberIn(pair), verdict: verdictOf(verdict) };
}

function verdictOf(given: unknown): ClaimVerdict | undefined {
  if (typeof given !== 'string') return undefined;
  const word = given
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  return wordings.find(([, wording]) => wording.test(word))?.[0];
}

/** The call that judges these claims. `accepts` says whether a text is an answer. */
export function judgeCall(brief: Brief, claims: readonly ClaimToJudge[], fence: Fence, accepts: Call['accepts']): Call {
  const pairs = claims.map(({ claim, passage, title }, at) => {
    const said = claim.replace(/\s+/g, ' ');
    return fence.wrap(`pair [${at + 1}]`, `Claim: ${said}\n\nPassage, of "${title.slice(0, 300)}":\n${passage}`);
  });
  return createCall({
    task: prompts.judge(brief),
    rules: fence.rule,
    evidence: pairs,
    question: `Judge the pairs 1 to ${claims.length}.`,
    maxTokens: maxTokens.start + maxTokens.each * claims.length,
    schema,
    accepts,
  });
}

/** A verdict for each claim, in their order; undefined where the answer has none. Verdicts without numbers are in this order, too. */
export function verdictsFor(
  judged: z.infer<typeof Verdicts>,
  claims: readonly ClaimToJudge[],
): (ClaimVerdict | undefined)[] {
  const isInOrder = judged.length === claims.length && judged.every(({ pair }) => pair === undefined);
  const byPair = new Map(judged.map(({ pair, verdict }, at) => [isInOrder ? at + 1 : pair, verdict]));
  return claims.map((_, at) => byPair.get(at + 1));
}
