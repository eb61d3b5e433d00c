/**
 * Judges claims of an answer against the passages that they cite, all in one call. A claim and its passage are one piece of
 * evidence, so that what does not fit an endpoint is left out together, and has no verdict.
 */
import * as z from 'zod';
import { type ClaimVerdict, claimVerdicts } from '../../../protocol/index.ts';
import type { Brief, ClaimToJudge } from '../../engine/ports/model.ts';
import { type Call, type CallSchema, createCall } from '../endpoint/call.ts';
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

/** The answer; an unknown verdict counts as missing. */
export const Verdicts = z.object({
  verdicts: z.array(
    z.object({
      pair: z.coerce.number().catch(0),
      verdict: z.string().toLowerCase().pipe(z.enum(claimVerdicts)).optional().catch(undefined),
    }),
  ),
});

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

/** A verdict for each claim, in their order; undefined where the answer has none. */
export function verdictsFor(
  { verdicts }: z.infer<typeof Verdicts>,
  claims: readonly ClaimToJudge[],
): (ClaimVerdict | undefined)[] {
  const byPair = new Map(verdicts.map(({ pair, verdict }) => [pair, verdict]));
  return claims.map((_, at) => byPair.get(at + 1));
}
