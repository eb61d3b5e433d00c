/**
 * What is quoted of documentation: the stretch around the best unit, with the code of its section, or else a second stretch that is
 * almost as likely. Each is a paragraph of its own, so that what its authors did not write together is not read together.
 */
import type { WritablePiece } from '../answer/write-pieces.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import { announces } from '../text/announces.ts';
import type { ReadUnit } from '../text/passages.ts';
import { isAnswered, type RankedDocumentationUnit } from './documentation.ts';
import { type DocumentationUnit, namesSomething } from './documentation-features.ts';
import { withoutNumber } from './heading-number.ts';
import { shownRow } from './named-row.ts';
import { isFragment, type Stretch, stretchAround } from './stretch.ts';

// Set by hand on the questions of `npm run bench -- documentation`.
/** Words of prose in the first stretch, and in all. */
const stretchWords = 50;
const maxWords = 60;
/** Minimum probability, as a share of the best unit's: of its neighbours, of code of its section, and of another stretch. */
const minNeighbourShare = 0.05;
const minCodeShare = 0.15;
const minOtherShare = 0.2;
/** The same of another stretch of a brief answer. */
const minBriefShare = 0.5;
/** Prose replaces code as the best unit from this share of the code's probability on. */
const minProseShare = 0.3;
/** Share of the shorter one's stems from which two units say the same. */
const sameShare = 0.8;
/** Characters; a longer heading is a sentence or a signature, not a name. */
const maxNameLength = 80;

/** A name in code or camel case, and what separates it from its description: a type, a parenthesis, a dash, a colon or a cell. */
const optionEntry = /^(?:`[^`]{1,60}`|[\w$.-]{1,60})(?:\s*[:–—|(]|\s+-\s|\s+`)/;

export interface QuoteOptions {
  /** Log odds above which the documentation counts as answering; see `isAnswered`. */
  readonly minOdds?: number;
  /** Whether to add another stretch only if it is about as likely as the best one; otherwise it is a second try. */
  readonly brief?: boolean;
}

/** The pieces that answer the question, the best first; empty where the documentation does not answer it. */
export function quoteDocumentation(
  question: AnalysedQuestion,
  ranked: readonly RankedDocumentationUnit[],
  { minOdds = 0, brief = false }: QuoteOptions,
): WritablePiece[] {
  return isAnswered(question, ranked, minOdds) ? composePieces(question, ranked, { brief }) : [];
}

/**
 * The best stretch first; empty without units. The entry of an asked option answers alone, unless the question asks how something is
 * done.
 */
export function composePieces(
  question: Pick<AnalysedQuestion, 'kind' | 'text'>,
  ranked: readonly RankedDocumentationUnit[],
  { brief = false }: Pick<QuoteOptions, 'brief'> = {},
): WritablePiece[] {
  const asksHow = question.kind === 'manner';
  const fitting = fittingOf(question, ranked, brief);
  const best = bestOf(fitting);
  if (best === undefined) return [];
  const byUnit = new Map(ranked.map((each) => [each.unit, each]));
  const least = minNeighbourShare * best.probability;
  const isLikely = (unit: ReadUnit) => (byUnit.get(unit)?.probability ?? 0) >= least;
  const around = (each: RankedDocumentationUnit, words: number) =>
    stretchAround(each, { words, isAlone: definesOption(each), isLikely });

  const first = around(best, stretchWords);
  const second = secondOf(first);
  const stretches = second === undefined ? [first] : inReadingOrder(first, second);
  return stretches.map(({ source, units: [lead, ...rest] }) => {
    const known = byUnit.get(lead!);
    // A row that has lost its headings, as in the middle of a long table, is no table.
    if (lead!.kind === 'row' && lead!.header === '') return { source, units: [shownRow(lead!), ...rest] };
    return { source, units: [known === undefined ? lead! : { ...lead!, text: shownText(known) }, ...rest] };
  });

  /** Code of the same section, or the next best stretch that says something else. */
  function secondOf(first: Stretch): Stretch | undefined {
    const isEntry = !asksHow && definesAsked(best!);
    const hasCode = first.units.some(isCode);
    const left = maxWords - first.words;
    if (!hasCode && !isEntry) {
      const code = ranked.find(
        ({ section, unit, probability }) =>
          section === best!.section && isCode(unit) && probability > minCodeShare * best!.probability,
      );
      // Code that is too long for a stretch leaves its introduction, which may be in the first one already.
      const stretch = code === undefined ? undefined : without(first, around(code, left));
      if (stretch !== undefined && stretch.units.length > 0) return stretch;
    }
    for (const each of fitting) {
      const { unit, probability, features } = each;
      if (probability < (brief ? minBriefShare : minOtherShare) * best!.probability) return undefined;
      if (first.units.includes(unit) || saysNothing(each)) continue;
      // The same words of another page or version say that nothing is missing: what is less likely would not be, either.
      if (first.units.some((other) => isSame(other, unit))) return undefined;
      if (isCode(unit) && (hasCode || isEntry)) continue;
      // A row of a reference tells little to someone who did not ask for it.
      if (unit.kind === 'row' && !definesAsked(each)) continue;
      if (isEntry && definesOption(each)) continue;
      // If the best unit is about the subject that the question names, so are the others.
      if (best!.features.ofSubject > 0 && features.ofSubject <= 0) continue;
      const stretch = without(first, around(each, left));
      const last = stretch.units.at(-1);
      if (last !== undefined && stretch.words <= left && !isIntroduction(last)) return stretch;
    }
    return undefined;
  }
}

/** As the page has them, if they are of one section; otherwise the better one comes first. */
function inReadingOrder(first: Stretch, second: Stretch): Stretch[] {
  const [a, b] = [first.units[0]!, second.units[0]!];
  const isBefore = first.source === second.source && a.section === b.section && b.start < a.start;
  return isBefore ? [second, first] : [first, second];
}

/** A stretch without the units that another one has. */
function without(first: Stretch, stretch: Stretch): Stretch {
  const units = stretch.units.filter((unit) => !first.units.includes(unit));
  return units.length === stretch.units.length ? stretch : { ...stretch, units };
}

/** The units that can answer a question of this kind, or else all that say something. */
function fittingOf(
  { kind, text }: Pick<AnalysedQuestion, 'kind' | 'text'>,
  ranked: readonly RankedDocumentationUnit[],
  brief: boolean,
): readonly RankedDocumentationUnit[] {
  const fits = (each: RankedDocumentationUnit) => {
    const { unit, features } = each;
    if (unit.kind === 'row') {
      // A row of a reference tells neither how nor why, and whether only if it is about what is asked.
      if (kind === 'manner' || (brief && kind === 'reason')) return false;
      if (brief && kind === 'yesno') return features.defines > 0;
    }
    if (!brief) return true;
    // The entry of a message or a method says what it is, not how something else is done.
    if (kind === 'manner' && isNamed(each) && !text.includes(unit.section.replaceAll('`', ''))) return false;
    return decided.has(kind) || !/^(?:Yes|No)\b/.test(unit.text);
  };
  const said = ranked.filter(({ unit }) => !unit.text.endsWith('?'));
  const fitting = said.filter(fits);
  return fitting.length === 0 ? said : fitting;
}

/** Kinds of questions that "Yes: …" may answer. */
const decided: ReadonlySet<QuestionKind> = new Set(['yesno', 'manner', 'none']);

/** The most probable unit, or prose that is almost as probable as code: prose says what the code is about. */
function bestOf(ranked: readonly RankedDocumentationUnit[]): RankedDocumentationUnit | undefined {
  const [first] = ranked;
  if (first === undefined || !isCode(first.unit)) return first;
  const prose = ranked.find(({ unit }) => !isCode(unit));
  return prose !== undefined && prose.probability > minProseShare * first.probability ? prose : first;
}

function isCode({ kind }: ReadUnit): boolean {
  return kind === 'code';
}

/** Whether it is the entry of an option that the question asks for. */
function definesAsked(each: RankedDocumentationUnit): boolean {
  return each.features.defines > 0 && definesOption(each);
}

/** Whether it is an entry of a list of options or methods: "headersTimeout `number` (optional) - The amount of …". */
function definesOption({ unit }: RankedDocumentationUnit): boolean {
  return !isCode(unit) && optionEntry.test(unit.text);
}

/** Whether it announces or asks what another unit says. */
function isIntroduction(unit: ReadUnit): boolean {
  return announces(unit) || unit.text.endsWith('?');
}

/** Whether it is a fragment without a heading that would make it an entry. */
function saysNothing(each: RankedDocumentationUnit): boolean {
  return isFragment(each.unit) && !isNamed(each);
}

/** Whether two units have nearly the same words. */
function isSame(a: ReadUnit, b: ReadUnit): boolean {
  if (a.kind !== b.kind || isCode(a)) return a.text === b.text;
  const [stems, others] = [stemsOf(a), stemsOf(b)];
  const shared = [...stems].filter((stem) => others.has(stem)).length;
  return shared > 0 && shared >= sameShare * Math.min(stems.size, others.size);
}

function stemsOf({ words }: ReadUnit): ReadonlySet<string> {
  return new Set(words.map(({ stem }) => stem));
}

/** Whether it is the first unit below the name of an option, "-e file", or a method. */
function isNamed({ unit: { section, kind }, place }: DocumentationUnit): boolean {
  const isName = namesSomething(withoutNumber(section)) || /^--?[A-Za-z]/.test(section);
  return place === 0 && isName && kind === 'sentence' && section.length <= maxNameLength;
}

/** The text of a unit in an answer: after its heading if it is the first below the name of an option or a method. */
export function shownText(each: DocumentationUnit): string {
  const { section, text } = each.unit;
  return isNamed(each) ? `${section}: ${text}` : text;
}
