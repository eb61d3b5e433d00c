/**
 * A question may say in which document to look: "According to the lease, how long is the notice?", "What does the staff
 * guide say about laptops?". Where the index has a document of that name, by its title or its file, the search is
 * restricted to it. It then need not be told apart from others that say similar things.
 */

import { parseSourceRule } from '../../../protocol/index.ts';
import { timeLimit } from '../../base/abort.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { fold } from '../../base/text/stems/fold.ts';
import { stem } from '../../base/text/stems/stemmer.ts';
import type { ListedPage } from '../ports/corpus.ts';
import type { Brief } from '../ports/model.ts';
import type { SearchContext } from '../search-context.ts';
import { rulesOf } from './scope.ts';
import { authorText } from './stated-constraints.ts';

/** Folders with more pages within reach are not searched for a name: such a folder is an archive. Set by hand. */
const maxPages = 2_000;
/** Documents that a name may stand for; a name of more is too general. Set by hand. */
const maxDocuments = 10;
/** How long the names are waited for: an unreachable index is not the only source. Set by hand. */
const maxWaitMs = 2_000;
/** Characters of a question that may name one; set by hand: longer ones bring material along. */
const maxCharacters = 600;

/** Words of a question that say where to look. */
export interface Reference {
  /** As written; without it, the rest is the question. */
  readonly phrase: string;
  readonly name: string;
  /** Whether they surely name a document: any words may follow "in the". */
  readonly isSure: boolean;
}

const name = String.raw`(?:(?:\p{L}{2,6}\s+)?[“"«])?((?:[^,?!;:()“”"«».\n]|\.(?=\p{L})){2,60}?)[”"»]?`;
const source =
  "according to|as per|based on|laut|gemäß|selon|d[’']après|según|de acuerdo con|secondo|volgens|segundo|de acordo com";
const end = String.raw`(?=\s*(?:[?.!]+\s*)?$)`;
const says = 'say|state|mention|tell us|require';

/** Tried in this order. */
const forms: readonly { readonly pattern: RegExp; readonly isSure: boolean }[] = [
  { pattern: new RegExp(String.raw`^\s*(?:${source})\s+${name},\s+`, 'iu'), isSure: true },
  { pattern: new RegExp(String.raw`,?\s+(?:${source})\s+${name}${end}`, 'iu'), isSure: true },
  { pattern: new RegExp(String.raw`(?<=^\s*what\s+)does\s+${name}\s+(?:${says})(?=\s)`, 'iu'), isSure: true },
  { pattern: new RegExp(String.raw`^\s*${name}:\s+(?=\S)`, 'iu'), isSure: false },
  { pattern: new RegExp(String.raw`\s+\(${name}\)${end}`, 'iu'), isSure: false },
  { pattern: new RegExp(String.raw`^\s*(?:in|from|under)\s+(?:the|my|our|this)\s+${name},\s+`, 'iu'), isSure: false },
];
const within = /,?\s+(?:in|from|under)\s+(?:the|my|our|this)\s+(?=\S)/giu;

/** Where a question says to look, most explicit first; empty for most questions. */
export function referencesIn(question: string): Reference[] {
  if (question.length > maxCharacters) return [];
  const found = forms.flatMap(({ pattern, isSure }): Reference[] => {
    const [phrase, called] = pattern.exec(question) ?? [];
    return phrase === undefined || called === undefined ? [] : [{ phrase, name: called, isSure }];
  });
  const last = [...question.matchAll(within)].at(-1);
  if (last === undefined) return found;
  const phrase = question.slice(last.index).replace(/[\s?.!]+$/, '');
  return [...found, { phrase, name: phrase.slice(last[0].length), isSure: false }];
}

/** The pages of the documents that a reference names, in the order of `pages`; none if it names none, or too many. */
export function documentsOf({ name: called, isSure }: Reference, pages: readonly ListedPage[]): readonly ListedPage[] {
  const words = nameOf(withoutExtension(called));
  const telling = words.filter((word) => !anyDocument.has(word));
  if (telling.length === 0) return [];
  // Most pages have none of the letters, and stems take longer; a stem may end with another letter than its word.
  const begin = telling.map((word) => word.slice(0, Math.max(2, word.length - 1)));
  const listed = pages
    .filter(({ url, title }) => {
      const text = folded(`${pathOf(url)} ${title}`);
      return begin.every((letters) => text.includes(letters));
    })
    .map((page) => ({ page, names: namesOf(page) }));
  const isWhole = (names: readonly string[][]) =>
    [words, telling].some((said) => names.some((each) => each.join(' ') === said.join(' ')));
  const isPart = (names: readonly string[][]) =>
    names.some((each) => ` ${each.join(' ')} `.includes(` ${telling.join(' ')} `));
  const isSaid = (names: readonly string[][]) => telling.every((word) => names.some((each) => each.includes(word)));
  // "According to Einstein" means a person, whatever titles have that word.
  const isOfPerson = telling.length === 1 && /(?:^|\s)\p{Lu}\S*$/u.test(called);
  // The surest way in which any page has the name.
  const ways = [
    ...(isSure || telling.length > 1 || kinds.has(telling[0]!) ? [isWhole] : []),
    ...(telling.length > 1 ? [isPart] : []),
    ...(isSure && !isOfPerson ? [isSaid] : []),
  ];
  const found = ways.map((way) => listed.filter(({ names }) => way(names))).find(({ length }) => length > 0) ?? [];
  return found.length > maxDocuments ? [] : found.map(({ page }) => page);
}

/**
 * The search within the documents that its question names, without the web; the same search if it names none. A request that lists
 * its sources is not narrowed.
 */
export async function withinNamedDocuments(context: SearchContext): Promise<SearchContext> {
  const { ports, job, brief, signal } = context;
  const own = rulesOf(job.request, brief);
  const references = own.only.length > 0 ? [] : referencesOf(brief);
  if (references.length === 0) return context;
  const until = AbortSignal.any([signal, timeLimit(maxWaitMs)]);
  const pages = await ports.corpus.pages({ owner: job.owner, ...job.reach }, maxPages, until).catch(() => {
    signal.throwIfAborted();
    // The search itself reports what is wrong with the index.
    return [];
  });
  for (const reference of references) {
    const documents = documentsOf(reference, pages);
    if (documents.length === 0) continue;
    const only = documents.flatMap(({ url }) => parseSourceRule(url) ?? []);
    const within = {
      phrase: reference.phrase,
      titles: documents.map(({ title }) => title),
      rules: { only, never: own.never },
    };
    return { ...context, ports: { ...ports, providers: [], pages: undefined }, brief: { ...brief, within } };
  }
  return context;
}

/** The references of the question, or of the one before if it continues that: "And how much is the deposit?" */
function referencesOf({ question, parts, previous }: Brief): Reference[] {
  const own = referencesIn(authorText({ prompt: question, parts }));
  const before = previous.at(-1);
  return own.length > 0 || before === undefined || !goesOn.test(question) ? own : referencesIn(before);
}

const goesOn = /^\s*(?:and|but|what about|how about|und|aber|et|mais|y|pero|e|ma|en|maar)\s/i;

/** Words that do not say which document is meant. */
const anyDocument = new Set(stemsOf('document documents file files pdf page pages text attached uploaded'));
const articles = new Set(
  stemsOf(
    'the a an my our your this that der die das dem den mein meine le la les mon ma el los las il lo de het o os as',
  ),
);
/** A single word after "in the" is a document only if it is the name of one of these. */
const kinds = new Set(
  stemsOf(`lease contract agreement manual guide handbook terms conditions policy rules minutes letter mail report notes faq
    readme brochure leaflet instructions regulations statutes bylaws invoice bill quote offer certificate cv resume menu timetable
    catalogue catalog prices newsletter paper study diary itinerary programme program schedule transcript changelog runbook`),
);

/** The names of a page: its title, its file, its folder, and the last two together. */
function namesOf({ url, title }: ListedPage): string[][] {
  const [file = '', folder = ''] = pathOf(url).split('/').reverse();
  const ofFile = nameOf(withoutExtension(file));
  const ofFolder = nameOf(folder);
  return [nameOf(title), ofFile, ofFolder, [...ofFolder, ...ofFile]].filter((words) => words.length > 0);
}

function withoutExtension(file: string): string {
  return file.replace(/\.\p{L}\w{0,4}$/u, '');
}

/** Decoded, without the "/" at its beginning. */
function pathOf(url: string): string {
  const path = url.replace(/^[^:]*:\/\/[^/]*\/?/, '').replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function nameOf(text: string): string[] {
  return stemsOf(text).filter((word) => !articles.has(word));
}

function stemsOf(text: string): string[] {
  return plainWordsIn(folded(text).replace(/['’]s\b/g, '')).map(stem);
}

/** Most texts have no marks to look for. */
function folded(text: string): string {
  return /^[ -~]*$/.test(text) ? text.toLowerCase() : fold(text);
}
