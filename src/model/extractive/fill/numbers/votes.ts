/** The votes for and against, and how a statement counts each side: "29 votes for and 12 against", "carried by 29 votes to 11". */
import { smallNumbers } from '../../../../base/text/numbers.ts';
import type { Proposal } from '../proposals.ts';
import type { Statement } from '../statements.ts';

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
/** "carried by 29 votes to 11", "by 29 to 11", "passed 29–11" */
const result = new RegExp(
  String.raw`\b(?<verb>carried|passed|approved|adopted|agreed|accepted|rejected|defeated|lost|failed|declined|voted down|turned down)\b[^.;:\d]{0,80}?\s(?<one>\d{1,5}|${inWords})(?:\s+votes?)?\s?(?:to|[-–—])\s?(?<other>\d{1,5}|${inWords})(?!\p{L}|[.,]?\p{N}|%)`,
  'iu',
);

/** The votes of one side; none where the statement does not say whose they are. */
export function proposeVotes(side: Side, { text, column, kind, valueStart }: Statement): Proposal[] {
  const label = kind === 'cell' ? column : text.slice(0, valueStart);
  if (label !== '' && labels[side].test(label.replace(/[\s:*_`]+$/, ''))) {
    const [, first] = /^[\s*_`]*(\d+|none)\b/i.exec(text.slice(kind === 'cell' ? 0 : valueStart)) ?? [];
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
  return /^\D/.test(written) ? 0 : Number(written.replaceAll(',', ''));
}
