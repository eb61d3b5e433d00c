/** The sentence, row or item that defines what is asked for, found by rules, since a definition leaves nothing to weigh. */
import { nameToDefine } from '../../../base/text/names/asked-names.ts';
import type { WritablePiece } from '../answer/write-pieces.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { splitSentences } from '../text/sentences.ts';
import { countWords, readWords } from '../text/words.ts';
import { beginningOf } from './beginning.ts';
import { withoutNumber } from './heading-number.ts';

/** What separates a name from what it is or does, at the top of its page: "git-gc - Cleanup unnecessary files"; a link is no words. */
const describes = /^(?:[—–-]{1,2}|→)\s+[`"\p{L}]\S*\s+\S/u;
/** What follows a name in the first sentence of its page: "command rebuilds the file". */
const does =
  /^(?:(?:command|statement|function|option|module|method|directive|utility|program|tool|pragma|class|operator|clause)\s+)?(?!(?:has|was|does|is)\b)\p{Ll}+s\s(?!(?:and|or|of|in|on|is|are|that|which|with)\b)/u;
/** After the name: "is a library", but not "is kept as long as". */
const defines =
  /^(?:is|are|was|were)\s(?:an?|the(?! only| same)|one|any|some|each|what|how|where|when|who|your|our|its?|their)\b/;
const explains = /^(?:means?|refers? to|denotes?|stands for)\s/;
/** The subject that is named after what is asked for: "a ticket in Citewire". */
const namedSubject = /^(.+?)\s+(?:in|of)\s+(\S+)$/i;

/** What the first words of a page about something are below: nothing, or a heading that promises what it is. */
const describing = /^(?:(?:[\d.]+\s+)?(?:name|description|overview|introduction|summary|purpose|about))?$/i;

/** The rank of what is only below a heading or label that is called what is asked for. */
const calledRank = 1;
/** The least rank of what the page about it says that it is. */
export const subjectRank = 3;

interface UnitContext {
  readonly passage: ReadPassage;
  readonly source: Source;
  /** Index in the passage. */
  readonly place: number;
  /** Whether the page is about the name. */
  readonly isSubject: boolean;
}

/** The unit that defines what the question asks for, if it asks for a definition; see `definitionRank` for `minRank`. */
export function quoteDefinition(
  { text }: AnalysedQuestion,
  sources: readonly Source[],
  minRank = calledRank,
): WritablePiece | undefined {
  const asked = nameToDefine(text);
  return asked === undefined ? undefined : quoteDefinitionOf(asked, sources, minRank);
}

/** The unit that defines a name, "git fetch" or "a ticket in Citewire". */
export function quoteDefinitionOf(
  asked: string,
  sources: readonly Source[],
  minRank = calledRank,
): WritablePiece | undefined {
  const [, rest = '', subject = ''] = namedSubject.exec(asked) ?? [];
  const about = sources.filter(({ title }) => subject !== '' && subjectOf(title) === nameOf(subject));
  const name = nameOf(about.length > 0 ? rest : asked);
  if (name === '') return undefined;
  const found = (about.length > 0 ? about : sources).flatMap((source) => {
    const isSubject = subjectOf(source.title) === name || nameOf(source.title) === name;
    if (!isSubject && minRank >= subjectRank) return [];
    const passage = readPassage(source);
    return passage.units.flatMap((unit, place) => {
      const rank = definitionRank(name, unit, { passage, source, place, isSubject });
      return rank < minRank ? [] : [{ source, unit, rank }];
    });
  });
  const best = found.sort((a, b) => b.rank - a.rank)[0];
  if (best === undefined) return undefined;
  const { source, unit, rank } = best;
  if (rank !== calledRank) return { source, units: [shownDefinition(unit)] };
  const { units } = readPassage(source);
  const [first, ...more] = beginningOf(units, units.indexOf(unit));
  // What is called something in code is said of it: "`export`: Marks names for programs."
  const isOfCode = /^`[^`]+`$/.test(unit.section) && !first!.text.startsWith(unit.section);
  return { source, units: [isOfCode ? { ...first!, text: `${unit.section}: ${first!.text}` } : first!, ...more] };
}

/** Of a row of a glossary, the term and the first sentence of its meaning. */
function shownDefinition(unit: ReadUnit): WritablePiece['units'][number] {
  if (unit.kind !== 'row') return unit;
  const [term, meaning = ''] = unit.text.split(' | ');
  const [[start, end] = [0, 0]] = splitSentences(meaning, 0, meaning.length);
  return { ...unit, kind: 'sentence', header: '', text: `${term}: ${meaning.slice(start, end)}` };
}

/** 0 for a unit that does not define the name; higher is better. Sources come in the order of their rank. */
function definitionRank(
  name: string,
  { kind, text, section }: ReadUnit,
  { passage, source, place, isSubject }: UnitContext,
): number {
  const bonus = isSubject ? 1 : 0;
  if (kind === 'row') {
    const [first = '', second = ''] = text.split(' | ');
    return nameOf(first) === name && countWords(second) >= 4 ? 2 + bonus : 0;
  }
  if (kind === 'code' || text.endsWith('?')) return 0;
  const lead = leadOf(text, name);
  if (lead !== undefined && defines.test(lead)) return 4 + bonus;
  if (lead !== undefined && explains.test(lead)) return 2;
  if (lead !== undefined && isSubject && describes.test(lead)) return 4;
  if (lead !== undefined && kind === 'item' && /^(?:[:–—-]|\([^)]*\):)\s/.test(lead)) return 2 + bonus;
  if (countWords(text) < 4) return 0;
  const isTop = isSubject && source.start === 0 && passage.units.findIndex(isProse) === place;
  const isLead = kind === 'sentence' && describing.test(section) && !source.title.includes(' › ');
  if (isTop && (nameOf(section) === name || isLead || (lead !== undefined && does.test(lead)))) return 3;
  const isFirst = passage.units[place - 1]?.section !== section;
  return isFirst && kind === 'sentence' && isCalled(name, section, source.title) ? calledRank : 0;
}

/** Whether it may say something by itself: "vacuum-stmt:" below "Syntax" does not. */
function isProse({ kind, text }: ReadUnit): boolean {
  return kind !== 'code' && countWords(text) >= 4 && !/[:?]$/.test(text);
}

/**
 * Whether a section or the entry of a label is about a name: it is called that, or the page and it together are: VACUUM and `FULL`,
 * git-stash and "pop [--index] [<stash>]".
 */
function isCalled(name: string, section: string, title: string): boolean {
  const bare = withoutNumber(section).replace(/\s*\\?[[<].*$/, '');
  return [bare, ...bare.split(', '), `${subjectOf(title)} ${bare}`].some((each) => nameOf(each) === name);
}

/** What follows the name at the beginning of a text, "is a library …"; undefined if it begins with something else. */
function leadOf(text: string, name: string): string | undefined {
  const bare = text.replace(/^(?:(?:an?|the)\s+)?/i, '');
  const words = readWords(apart(bare.slice(0, 200)));
  const count = name.split(' ').length;
  const last = words[count - 1];
  if (last === undefined || stemsOf(words.slice(0, count)) !== name) return undefined;
  return bare.slice(last.end).replace(/^[`"”’*_)\]]*\s*/, '');
}

/** What a page is about, as a name: the package "undici" of "undici › Client", the command of "git-gc(1)" or "init — Manual". */
export function subjectOf(title: string): string {
  return nameOf(withoutNumber(title.replace(/ [›—–|] .*/, '')).replace(/\s?\(\d[a-z]?\)$/, ''));
}

/** The stems of a name, joined by spaces. */
function nameOf(text: string): string {
  return stemsOf(readWords(apart(text.slice(0, 100))));
}

/** With a blank for each hyphen within a word: `git-gc` is the page of `git gc`. */
function apart(text: string): string {
  return text.replace(/(?<=\p{L})-(?=\p{L})/gu, ' ');
}

function stemsOf(words: readonly { readonly stem: string }[]): string {
  return words.map(({ stem }) => stem).join(' ');
}
