/**
 * How much is said: "all" of "some", "only", superlatives and their ranks, and a number that limits what is spoken of ("children
 * under six"). A claim may say less than its source.
 */
import { phraseOf, type Reading } from '../reading/reading.ts';
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';

const universal =
  /\b(?:all|every|each|always|entire|entirely|whole|completely|everyone|everybody|everything|everywhere|any|anyone|whatever|regardless|universally|exclusively|fully)\b/;
const partial =
  /\b(?:some|many|most|several|few|part|partly|partially|often|usually|sometimes|generally|mainly|mostly|largely|chiefly|almost|nearly|majority|minority|half|occasionally|certain|numerous|typically|tends?|in part)\b/;
const times = new Set(
  'day year month week weekday weekend hour night even time season summer winter two three four quarter morning monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
);
const only = /\b(?:only|solely|exclusively|sole|just|nothing but|alone)\b/;
const except =
  /\b(?:only|solely|exclusively|sole|just|alone|unless|except|other than|nothing but|no other|apart from|but not|outside|without|limited to|restricted to|must|merely|simply|unlike|never|not)\b/;
const limits = new Set('under over above below'.split(' '));

/** Looks for claims that say more than their source. */
export const checkScope: Check = (claim, source, { matches, reverse }) => {
  const faults: Fault[] = [];
  const said = phraseOf(claim.tokens, 0, claim.tokens.length);
  const found = phraseOf(source.tokens, 0, source.tokens.length);

  const broad = claim.tokens.findIndex(
    ({ lower }, at) =>
      universal.test(lower) &&
      !times.has((claim.tokens[at + 1]?.lower ?? '').replace(/s$/, '')) &&
      !/^(?:if|whatever)$/.test(claim.tokens[at - 1]?.lower ?? ''),
  );
  if (broad !== -1) {
    const isLicensed = source.tokens.some(
      ({ lower }) =>
        universal.test(lower) || lower === 'throughout' || lower === 'no' || lower === 'none' || lower === 'nobody',
    );
    if (!isLicensed)
      faults.push(
        partial.test(found)
          ? contradicted('all of some', `"${claim.tokens[broad]!.text}" of some`)
          : unsupported('all', `"${claim.tokens[broad]!.text}" is not in the source`),
      );
    else if (partial.test(near(source)) && !partial.test(said)) faults.push(contradicted('all of some', 'all of some'));
  }
  if (
    /\b(?:never|nobody|none|no one|always)\b/.test(said) &&
    partial.test(found) &&
    !/\b(?:never|nobody|none|no|not|always)\b/.test(found)
  )
    faults.push(unsupported('always', 'always, of sometimes'));
  const most = source.tokens.findIndex(
    ({ lower }, at) =>
      /^(?:most|some|many|few|several)$/.test(lower) &&
      !/^(?:the|at)$/.test(source.tokens[at - 1]?.lower ?? '') &&
      matchedAfter(at),
  );
  if (most !== -1 && /^(?:no|none|nobody)\b/.test(said)) faults.push(contradicted('none', 'none, of most'));
  if (broad === -1 && !partial.test(said) && !hasAmount(claim)) {
    const at = source.tokens.findIndex(
      ({ lower }, index) =>
        /^(?:some|few|several|half|part|partly|almost|nearly|certain|occasionally|sometimes|often|usually|most)$/.test(
          lower,
        ) &&
        !/^(?:the|at)$/.test(source.tokens[index - 1]?.lower ?? '') &&
        (matchedAfter(index) || lower === 'partly'),
    );
    if (at !== -1) faults.push(unsupported('some', `the source says "${source.tokens[at]!.text}"`));
  }
  for (const [at, { at: to }] of matches) {
    const [one, other] = [claim.tokens[at - 1]?.lower ?? '', source.tokens[to - 1]?.lower ?? ''];
    // "Every Sunday" of "the first Sunday", "several towns" of "one town".
    const isWider =
      /^(?:every|each|all)$/.test(one) && /^(?:first|second|third|fourth|last|one|other|alternate)$/.test(other);
    const isMany =
      /^(?:several|many|multiple|various|numerous|different)$/.test(one) && /^(?:one|single|same)$/.test(other);
    if (isWider || isMany) faults.push(contradicted('all of some', `"${one}" of "${other}"`));
  }
  if (only.test(said) && !except.test(found)) faults.push(unsupported('only', '"only" is not in the source'));

  for (const [at, { at: to, relation }] of matches) {
    const [one, other] = [claim.tokens[at]!, source.tokens[to]!];
    if (one.superlativeOf !== undefined && other.superlativeOf === undefined && relation !== 'opposite')
      faults.push(unsupported('superlative', `superlative ${one.text}`));
    if (one.superlativeOf !== undefined && other.superlativeOf !== undefined && rank(claim, at) !== rank(source, to))
      faults.push(contradicted('rank', `rank of ${one.text}`));
    // "Children under six travel free" says nothing of the others.
    const limit = source.tokens[to + 1];
    const isThan = source.tokens[to + 2]?.lower === 'than';
    if (
      limit !== undefined &&
      (limits.has(limit.lower) || isThan) &&
      source.quantities.some(({ from }) => from === to + (isThan ? 3 : 2)) &&
      claim.quantities.length === 0 &&
      !/\b(?:under|over|above|below|young|old|small|large|some)/.test(said)
    )
      faults.push(unsupported('limit', `the source says "${limit.text} …"`));
  }
  for (const at of claim.words) {
    const { superlativeOf, text, lower } = claim.tokens[at]!;
    if (
      superlativeOf !== undefined &&
      lower !== 'most' &&
      lower !== 'least' &&
      !matches.has(at) &&
      !/\b(?:first|never|no)\b/.test(found)
    )
      faults.push(unsupported('superlative', `superlative ${text}`));
  }
  return faults;

  function matchedAfter(index: number): boolean {
    for (let next = index + 1; next < Math.min(index + 4, source.tokens.length); next += 1) {
      if (source.clauses[next] !== source.clauses[index]) return false;
      if (source.tokens[next]!.kind === 'content') return reverse.has(next);
    }
    return false;
  }

  function near(reading: Reading): string {
    const clauses = new Set([...matches.values()].map(({ at }) => reading.clauses[at]));
    return reading.tokens
      .filter((_, index) => clauses.has(reading.clauses[index]))
      .map(({ lower }) => lower)
      .join(' ')
      .replace(/\bthe most\b|\bat most\b/g, '');
  }
};

/** Whether the claim says how many: "some", "20", "a few", "number of". */
function hasAmount({ tokens, quantities }: Reading): boolean {
  return (
    quantities.length > 0 ||
    tokens.some(({ lower }) => /^(?:number|share|part|certain|partly|somewhat|can|may)$/.test(lower))
  );
}

/** "One of the", "the second", or nothing before a superlative. */
function rank({ tokens }: Reading, at: number): string {
  const before = phraseOf(tokens, at - 4, at).replace(/ -$/, '');
  if (/\bone of\b|\bamong\b/.test(before)) return 'among';
  return /\b(second|third|fourth|fifth|2nd|3rd|4th)$/.exec(before)?.[1] ?? '';
}
