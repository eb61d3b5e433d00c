/**
 * What a yes or no claims of its subject, "included" or "allowed", and the words of a sentence that affirm or deny it; with what became of
 * motions and proposals.
 */
import { stemOf } from '../text/words.ts';
import type { Field } from './fields.ts';

/** What a field may claim of its subject: names of the field, what affirms it, what denies it. */
const claims = [
  [
    'included include includes inclusive enthalten',
    /\b(?:includ(?:es?|ed|ing)|inclusive|comes? with|in the box|part of the|enthalten|inbegriffen|inklusive|compris|incluid|incluso|inclus)/i,
    /\b(?:exclud(?:es?|ed|ing)|exclusive of|sold separately|at extra cost|for an extra charge|extra charge|costs? extra|(?:is|are|for|costs?) [^.,;]{0,14}\bextra|not part|optional extra|exkl|available separately)/i,
  ],
  [
    'allowed permitted welcome allow allows permit accepted possible eligible erlaubt',
    /\b(?:allow(?:s|ed)?|permit(?:s|ted)?|welcome|may|can|accept(?:s|ed)?|possible|admitted|tolerated|free to|eligible|entitled|carried|erlaubt|dürfen|darf)\b/i,
    /\b(?:prohibit(?:s|ed)?|forbid(?:s|den)?|ban(?:s|ned)?|impossible|disallow(?:s|ed)?|refused?|ineligible|verboten|untersagt)\b/i,
  ],
  [
    'required mandatory needed require requires needs compulsory obligatory necessary',
    /\b(?:requir(?:es?|ed)|mandatory|need(?:s|ed)?|must|compulsory|obligatory|necessary|has to|have to)\b/i,
    /\b(?:optional|voluntary|unnecessary|needless|needn['’]t)\b/i,
  ],
  [
    'available offered offers provided',
    /\b(?:available|offer(?:s|ed)?|provid(?:es?|ed)|there (?:is|are)|has|have|in stock|exists?|open)\b/i,
    /\b(?:unavailable|sold out|discontinued|out of stock|abolished)\b/i,
  ],
  [
    'free gratis complimentary',
    /\b(?:free(?: of charge)?|gratis|complimentary|no charge|no extra cost|kostenlos|gratuit)\b/i,
    /\b(?:costs?|charged|fee|pays?|chargeable)\b/i,
  ],
  ['refundable refunded refund refunds', /(?<!non-)\brefund(?:s|ed|able)?\b/i, /\bnon-?refundable\b/i],
  ['supported supports support', /\bsupport(?:s|ed)?\b|\bworks? with\b/i, /\b(?:unsupported|dropped|removed)\b/i],
  [
    'enabled enable enables on active default',
    /\b(?:enabled?|enables|on by default|active|`?true`?)\b/i,
    /\b(?:disabled?|off by default|off|inactive|`?false`?)\b/i,
  ],
  ['open', /\bopens?\b/i, /\bclosed?\b/i],
  ['closed', /\bclosed?\b/i, /\bopens?\b/i],
  [
    'approved approve passed accepted adopted carried',
    /\b(?:approved?|passed|accepted|adopted|carried)\b/i,
    /\b(?:rejected|refused|declined|defeated|withdrawn|(?:voted|turned) down|postponed|lost|failed)\b/i,
  ],
  [
    'covered insured',
    /\b(?:cover(?:s|ed|ing)?|insur(?:es|ed)|versichert|gedeckt)\b/i,
    /\b(?:exclud(?:es|ed|ing)|exempt|uninsured)\b/i,
  ],
  [
    'contains contain',
    /\b(?:contain(?:s|ed|ing)?|made|enthält|contient|contiene)\b/i,
    /\bfree (?:of|from)\b|\p{L}-free\b/iu,
  ],
  ['access', /\baccess(?:ible)?\b/i, /\b(?:inaccessible|disabled|blocked|denied|closed)\b/i],
] as const;

export type Claim = (typeof claims)[number];

const stemsByClaim = new Map<Claim, ReadonlySet<string>>(
  claims.map((claim) => [claim, new Set(claim[0].split(' ').map(stemOf))]),
);
const none: ReadonlySet<string> = new Set();

/** The claim that the words of a field's name make, if any. */
export function claimOf({ words }: Pick<Field, 'words'>): Claim | undefined {
  return claims.find((claim) => words.some(({ stem }) => claimStems(claim).has(stem)));
}

/** The stems of the names of a claim. */
export function claimStems(claim: Claim | undefined): ReadonlySet<string> {
  return (claim && stemsByClaim.get(claim)) ?? none;
}

/**
 * Whether a part has words that affirm the claim or deny it; 'both' where it has words for each and nothing tells which counts;
 * undefined if it has neither.
 */
export function polarityIn(main: string, [names, affirms, denies]: Claim): 'affirms' | 'denies' | 'both' | undefined {
  const isDenied = denies.test(main);
  if (!isDenied) return affirms.test(main) ? 'affirms' : undefined;
  if (/^free/.test(names)) return affirms.test(main) ? 'affirms' : 'denies';
  // "Dogs may be refused": what may be is said by the other word.
  const bare = main.replace(/\b(?:may|can|cannot|must|has to|have to|has|have|there (?:is|are))\b/gi, '');
  return affirms.test(bare.replace(denies, '')) ? 'both' : 'denies';
}

const proposals =
  /\b(?:motion|proposal|request|application|petition|bid|amendment|plans?|suggestion|idea|proposed|considers?|considered|considering|discuss(?:ed|ing)?|debated?|suggest(?:s|ed)|hopes?|wants?|wanted|intends?|asked|requested|demanded) (?:that (?=(?<clause>(?:\S+ ){0,5}\S+))|(?:(?:to|for|of|on|about) )?(?=(?<verb>(?:\p{L}+ly )?\S+)))/giu;
const rejected =
  /\b(?:reject(?:s|ed)?|defeated|declined|refused|(?:voted|turned|votes) (?:down|against)|lost|failed|not (?:carried|passed|approved|adopted|accepted))\b/i;
const adopted = /\b(?:carried|passed|approved|adopted|accepted|agreed to|granted)\b/i;

/** What became of "a motion to allow beehives": no value if nothing is decided yet; undefined if nothing is proposed. */
export function readProposal(main: string, claim: Claim): { readonly value: boolean | undefined } | undefined {
  for (const { 0: said, groups, index } of main.matchAll(proposals)) {
    const polarity = polarityIn(groups?.clause ?? groups?.verb ?? '', claim);
    if (polarity === undefined) continue;
    const [, affirms, denies] = claim;
    const after = main.slice(index + said.length).replace(affirms, ' ');
    const around = `${main.slice(0, index)} ${polarity === 'denies' ? after.replace(denies, ' ') : after}`;
    if (polarity === 'both' || (!rejected.test(around) && !adopted.test(around))) return { value: undefined };
    return { value: (polarity === 'affirms') === !rejected.test(around) };
  }
  return undefined;
}
