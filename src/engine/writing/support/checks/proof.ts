/**
 * What is claimed to be shown must have been shown, and "all" is not "all but one". A source has not proved what it fears,
 * hopes or does not know, and has not said what it only asks: "So the bank paid twice?"
 */
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';

const proving = /^(?:show|shows|showed|shown|prove|proves|proved|proven|demonstrated?|established?|confirmed)$/;
const proofs =
  /^(?:show|prov|proof|demonstr|establish|confirm|find|found|evid|reveal|show|determin|discov|conclud|result)$/;
const whole = /^(?:all|every|each|whole|entire|everyone|everybody|everything|unanimous|unanimously|always)$/;

/** Looks for a proof that the source does not speak of, an exception that the claim leaves out, and a source that only asks. */
export const checkProof: Check = (claim, source) => {
  const faults: Fault[] = [];
  const proof = claim.tokens.findIndex(
    ({ lower }, at) =>
      proving.test(lower) && (/^(?:that|to)$/.test(claim.tokens[at + 1]?.lower ?? '') || isPassive(claim.tokens, at)),
  );
  if (proof !== -1 && !source.tokens.some(({ stem }) => proofs.test(stem)))
    faults.push(unsupported('evidence', `"${claim.tokens[proof]!.text}" is not in the source`));
  const exception = source.tokens.findIndex(
    ({ lower }, at) =>
      lower === 'but' &&
      /^(?:all|everyone|everything|everybody|none|nothing)$/.test(source.tokens[at - 1]?.lower ?? ''),
  );
  const isExcepted = claim.tokens.some(({ lower }) => /^(?:but|except|other|rest|apart|only)$/.test(lower));
  if (exception !== -1 && !isExcepted && claim.tokens.some(({ lower }) => whole.test(lower)))
    faults.push(contradicted('exception', 'the source says "all but"'));
  if (isAsked(source) && !isAsked(claim)) faults.push(unsupported('asked', 'the source asks'));
  return faults;
};

function isAsked({ tokens }: Parameters<Check>[0]): boolean {
  return tokens.findLast(({ kind, text }) => kind !== 'mark' || text === '?')?.text === '?';
}

function isPassive(tokens: Parameters<Check>[0]['tokens'], at: number): boolean {
  return tokens.slice(Math.max(0, at - 2), at).some(({ lower }) => /^(?:been|was|were|is|are)$/.test(lower));
}
