/** The votes for and against, and how a statement counts each side: "29 votes for and 12 against", "carried by 29 votes to 11". */
import { smallNumbers } from '../../../../base/text/numbers.ts';
import type { Proposal } from '../proposals.ts';
import { headingOf, type Statement } from '../statements.ts';

export type Side = 'for' | 'against';

/** The side that a field counts, by the words of its name; undefined for other fields, such as `votes`. */
export function sideOf(names: readonly string[]): Side | undefined {
  const all = names.join(' ').toLowerCase();
  if (/\b(?:votes?|voters|voted|members) (?:cast )?(?:for|in favou?r)$|^(?:ayes|yeas)$/.test(all)) return 'for';
  return /\b(?:votes?|voters|voted|members) (?:cast )?against$|^(?:noes|nays)$/.test(all) ? 'against' : undefined;
}

const inWords = smallNumbers.slice(1).join('|');
const number = String.raw`(?<![\p{L}\p{N}.,])(?<number>\d{1,3}(?:,\d{3})+|\d+|${inWords}|none|no one|nobody|no)(?![\p{L}\p{N}]|[.,]\p{N})`;
const who = String.raw`(?:\s+(?:of (?:the|them)|votes?|members|people|councillors|delegates|shareholders|were|was|are|cast|voted)){0,3}`;
const ofSide: Readonly<Record<Side, RegExp>> = {
  for: new RegExp(String.raw`${number}${who}\s+(?:for|in favou?r|yes)(?!\p{L})`, 'giu'),
  against: new RegExp(String.raw`${number}${who}\s+(?:against|opposed)(?!\p{L})`, 'giu'),
};
const labels: Readonly<Record<Side, RegExp>> = { for: /\b(?:for|in favou?r|yes)\W*$/i, against: /\bagainst\W*$/i };
/** "1,240", "1 240", "none"; "1.240" may be either. */
const labelledCount = /^[\s*_`]*(\d{1,3}(?:[, \u00a0\u202f]\d{3})+|\d+|none)(?![\p{L}\p{N}]|[.,]\p{N})/iu;
/** "Votes against were 12", "the votes for numbered 29" */
const numbered: Readonly<Record<Side, RegExp>> = { for: numberedBy('for|in favou?r'), against: numberedBy('against') };

function numberedBy(side: string): RegExp {
  return new RegExp(
    String.raw`\bvotes? (?:cast )?(?:${side})\s+(?:were|was|numbered|totall?ed|came to)\s+(?<number>\d{1,3}(?:,\d{3})+|\d+|none)(?![\p{L}\p{N}%]|[.,]\p{N})`,
    'iu',
  );
}

/** After a range of something else: "in 2 to 3 weeks", "on 3–4 May". */
const notVotes =
  'hours?|days?|weeks?|months?|years?|minutes?|euros?|pounds?|dollars?|percent|per cent|[ap]\\.?m|(?:jan|febr|sept?|octo|novem|decem)\\p{L}*|march|april|may|june|july|august';
/** "carried by 29 votes to 11", "by 29 to 11", "passed 29–11" */
const result = new RegExp(
  String.raw`\b(?<verb>carried|passed|approved|adopted|agreed|accepted|rejected|defeated|lost|failed|declined|voted down|turned down)\b[^.;:]{0,80}?\s(?<one>\d{1,5}|${inWords})(?:\s+votes?)?\s?(?:to|[-–—])\s?(?<other>\d{1,5}|${inWords})(?!\p{L}|[.,]?\p{N}|%|\s(?:${notVotes})(?!\p{L}))`,
  'iu',
);

/** The votes of one side; none where the statement does not say whose they are. */
export function proposeVotes(side: Side, statement: Statement): Proposal[] {
  const { text, kind, valueStart } = statement;
  const label = headingOf(statement);
  if (label !== '' && labels[side].test(label.replace(/[\s:*_`]+$/, ''))) {
    const [, first] = labelledCount.exec(text.slice(kind === 'cell' ? 0 : valueStart)) ?? [];
    if (first !== undefined) {
      const start = text.indexOf(first, kind === 'cell' ? 0 : valueStart);
      return [{ value: countOf(first), start, end: start + first.length, score: 1 }];
    }
  }
  if (kind === 'cell') return [];
  const said = [...text.matchAll(ofSide[side])].map(({ groups, index }) => ({
    value: countOf(groups!.number!),
    start: index,
    end: index + groups!.number!.length,
    score: 0.9,
  }));
  if (said.length > 0) return said;
  const stated = numbered[side].exec(text);
  if (stated !== null) {
    const count = stated.groups!.number!;
    const end = stated.index + stated[0].length;
    return [{ value: countOf(count), start: end - count.length, end, score: 0.9 }];
  }
  const found = result.exec(text);
  if (found === null) return [];
  const { verb = '', one = '', other = '' } = found.groups!;
  const isCarried = /^(?:carried|passed|approved|adopted|agreed|accepted)/i.test(verb);
  const [most, fewest] = countOf(one) >= countOf(other) ? [one, other] : [other, one];
  const votes = isCarried === (side === 'for') ? most : fewest;
  const start =
    votes === other ? found.index + found[0].length - other.length : text.indexOf(one, found.index + verb.length);
  return [{ value: countOf(votes), start, end: start + votes.length, score: 0.7 }];
}

function countOf(written: string): number {
  const word = smallNumbers.indexOf(written.toLowerCase());
  if (word !== -1) return word;
  return /^\D/.test(written) ? 0 : Number(written.replace(/[, \u00a0\u202f]/g, ''));
}
