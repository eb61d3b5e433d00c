/**
 * The parts that a question has by its form: each of several things that are compared, each year of a change, each item of a
 * report. Every part is a question of its own, which one sentence of one page may answer. All rules are linear in the text.
 */
import { sentencesOf } from '../../../base/text/sentences/sentence-ends.ts';
import { stopWords } from '../../../base/text/stop-words.ts';

/** A part of a question. */
export interface Aspect {
  /** What tells it from the other parts, as a heading: a name, a year, or what is asked. */
  readonly label: string;
  /** The part, understandable by itself. */
  readonly question: string;
  /** What it is about, if that is what the label names. */
  readonly name?: string;
}

/** Characters that are looked at, and parts; set by hand. */
const maxText = 2_000;
const maxAspects = 12;
/** Characters of a page in which years are looked for. */
const maxPage = 4_000;
/** Letters of the shortest name. */
const minName = 3;

const capital = String.raw`\p{Lu}[\p{L}\p{N}'’.&-]*`;
const name = String.raw`(?:the )?${capital}(?: (?:(?:of|the|de|la|van|von) )?(?:${capital}|\d{1,4})){0,5}`;
/** "the Vimble tower": a name with a word for what it names. */
const named = String.raw`(?:the ${capital}(?: ${capital}){0,5} \p{Ll}{3,20}|${name})`;
const wholeName = new RegExp(`^${named}[?.!]?$`, 'u');
const nameAtEnd = new RegExp(`(?:^|[ (])(${named})$`, 'u');
const nameAtStart = new RegExp(`^${name}(?=[ ,;:?.!]|$)`, 'u');
const separator = /(,? (?:and|or|und|oder|et|ou|vs\.?|versus|with) |, (?:and |or )?|; )/;
const conjunction = /and|or|und|oder|et|ou|vs|versus|with/;
const eachOne = /\b(?:each(?: one)?(?: of (?:them|these|those|the two))?|they|them|both(?: of (?:them|these))?)\b/i;
const comparing =
  /\b(?:compare|comparison|each|versus|vs|longer|longest|larger|largest|bigger|biggest|older|oldest|younger|youngest|earlier|earliest|later|latest|taller|tallest|higher|highest|smaller|smallest|faster|fastest|heavier|heaviest|cheaper|cheapest|deeper|deepest|newer|newest|shorter|shortest|more|most|fewer|fewest|less|least)\b/i;

const asksYesOrNo = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b/i;

/** At least two, or none. `pages` are texts that were found: a change has a part for each year between that they name. */
export function aspectsOf(prompt: string, pages: readonly string[] = []): Aspect[] {
  const text = prompt.slice(0, maxText).replace(/\s+/g, ' ').trim();
  const found = [changeIn, thingsCompared, itemsOfReport]
    .map((read) => read(text, pages))
    .find(({ length }) => length > 1);
  return (found ?? []).slice(0, maxAspects);
}

/** "How did the number of inhabitants of Marlow change from 2005 to 2025?": in each of the two years. */
function changeIn(text: string, pages: readonly string[]): Aspect[] {
  const span = /\b(?:from|between|since) ((?:1[5-9]|20)\d\d) (?:to|and|until|till|through) ((?:1[5-9]|20)\d\d)\b/i.exec(
    text,
  );
  if (span === null) return [];
  const isChange =
    /\b(?:chang|develop|evol|grow|grew|rise|rose|fall|fell|increas|decreas|declin|shrink|shrank|compar|differ)/i;
  if (!isChange.test(text)) return [];
  const [rest = ''] = text.slice(span.index + span[0].length).split(/[,;:]/, 1);
  const about = `${text.slice(0, span.index)}${rest}`
    .replace(
      /^how (?:did|has|have|does|do)\b|\b(?:changed?|develop(?:ed)?|evolved?|grown?|grew|rise|risen|rose|fall(?:en)?|fell)\b/gi,
      ' ',
    )
    .replace(/[?.!,]+(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const years = [span[1]!, ...between(text, span[1]!, span[2]!, pages), span[2]!];
  return years.map((year) => ({ label: year, question: `What was ${about} in ${year}?` }));
}

/** The years between two that sentences with a name of the question state, in their order. */
function between(text: string, from: string, to: string, pages: readonly string[]): string[] {
  const names = [...new Set(text.match(/(?<=\s)\p{Lu}\p{L}{2,}/gu))];
  const years = new Set<string>();
  for (const page of pages) {
    for (const sentence of sentencesOf(page.slice(0, maxPage))) {
      if (names.length === 0 || !names.every((each) => sentence.includes(each))) continue;
      for (const [year] of sentence.matchAll(/\b(?:1[5-9]|20)\d\d\b/g)) if (year > from && year < to) years.add(year);
    }
  }
  return [...years].sort().slice(0, maxAspects - 2);
}

/** "Which is longer, A or B, and how long is each?": each of the names. */
function thingsCompared(text: string): Aspect[] {
  if (!comparing.test(text) || asksYesOrNo.test(text)) return [];
  const pieces = text.split(separator);
  for (let at = 0; at < pieces.length; at += 2) {
    const first = wholeName.test(pieces[at]!) ? pieces[at]! : nameAtEnd.exec(pieces[at]!)?.[1];
    if (first === undefined) continue;
    const names = [first];
    let end = at;
    let last: string | undefined;
    while (end + 2 < pieces.length && last === undefined) {
      const next = pieces[end + 2]!;
      if (wholeName.test(next)) names.push(next);
      else {
        last = nameAtStart.exec(next)?.[0];
        if (last === undefined) break;
        names.push(last);
      }
      end += 2;
    }
    const separators = pieces.slice(at, end + 1).filter((_, index) => index % 2 === 1);
    const bare = [...new Set(names.map(bareName))].filter((each) => each.length >= minName);
    if (bare.length < 2 || bare.length !== names.length) continue;
    if (bare.length === 2 && !separators.some((each) => conjunction.test(each))) continue;
    const before = pieces.slice(0, at).join('') + pieces[at]!.slice(0, pieces[at]!.length - first.length);
    const after = `${last === undefined ? '' : pieces[end]!.slice(last.length)}${pieces.slice(end + 1).join('')}`;
    const asked = after.split(/, (?:and )?|; /).find((clause) => eachOne.test(clause));
    return bare.map((label) => ({
      label,
      name: label,
      question:
        asked?.replace(eachOne, label) ?? measureOf(before, label) ?? withoutComparison(`${before}${label}${after}`),
    }));
  }
  return [];
}

/** "Write a report on Marlow: when it was founded, who its mayor is, …": each item. */
function itemsOfReport(text: string): Aspect[] {
  const colon = text.indexOf(': ');
  if (colon === -1) return [];
  const subject = nameAtEnd.exec(text.slice(0, colon))?.[1];
  if (subject === undefined) return [];
  const bare = bareName(subject);
  const items = text
    .slice(colon + 2)
    .split(/[,;] (?:and )?| and (?=(?:who|what|when|where|which|how|why|in|on|by)\b)/)
    .map((item) => item.replace(/[?.!]+$/, '').trim())
    .filter((item) => item.split(' ').length > 1);
  return items.map((item) => {
    const whole = item.replace(/\bits\b/g, `${bare}’s`).replace(/\bit\b/g, bare);
    const label = `${whole[0]!.toUpperCase()}${whole.slice(1)}`;
    return { label, question: whole.includes(bare) ? `${label}?` : `${label}, ${bare}?` };
  });
}

/** Without an article, a word that only begins the sentence, and a mark at the end. */
function bareName(text: string): string {
  const words = text.replace(/[?.!]$/, '').split(' ');
  while (words.length > 1 && (stopWords.has(words[0]!.toLowerCase()) || /^compare$/i.test(words[0]!))) words.shift();
  return words.join(' ');
}

/** What is measured where two things are compared by it: "Which lake is deeper, A or B?" asks how deep each is. */
function measureOf(before: string, label: string): string | undefined {
  // "Who was born earlier, A or B?" asks when.
  const [, done] = /\b(\p{Ll}{2,}(?:ed|en|rn|lt|de|nt)) (?:earlier|later|first|before|after)\b/iu.exec(before) ?? [];
  if (done !== undefined) return `When was ${label} ${done}?`;
  const [, stem] =
    /\b(long|deep|high|tall|large|bigg|small|wide|heavi|fast|old|young|cheap)(?:er|est|r|st)\b/i.exec(before) ?? [];
  if (stem === undefined) return undefined;
  const word = stem.toLowerCase();
  if (/^who\b/i.test(before) || word === 'young') return `When was ${label} born?`;
  if (word === 'cheap') return `How much does ${label} cost?`;
  return `How ${measures.get(word) ?? word} is ${label}?`;
}

const measures = new Map([
  ['bigg', 'large'],
  ['small', 'large'],
  ['heavi', 'heavy'],
]);

function withoutComparison(text: string): string {
  return text
    .replace(/\b(?:please )?(?:compare|(?:the )?(?:differences?|comparison) (?:between|of))\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
