/**
 * A whole list that a question asks for by its name: the items below "Action items" for "What are the action items?", those after
 * "What to bring:", the rows of a table of services for "What services do you offer?". By rules, as each item alone has none of the
 * question's words; in a few pages, where a list of this name is the one that is meant.
 */
import { languageWords } from '../../../base/text/language-words.ts';
import { isNamedValue } from '../../../base/text/lines/plain-lines.ts';
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { isNumber } from '../question/asked/asked-value.ts';
import { announces } from '../text/announces.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import { readWords, stemOf } from '../text/words.ts';
import { countUnitWords, listAround, listWords } from './surroundings.ts';
import type { WritablePiece } from './write-pieces.ts';

/** "What are the rules?", "List the rules.", "Which rules are there?"; the same in other languages. */
const asksForAll =
  /^\W*(?:and )?(?:(?:what|which) (?:are|were)\b|(?:what|which) (?!(?:is|was|does|has)\b)(?:\p{Ll}+ ){0,2}?\p{Ll}{2,}(?<!s)s\b(?! (?:is|was|does)\b)|(?:please )?(?:list|name|show me|tell me|give me)\b|what (?:do|does|should|must|shall|can|may|to)\b|(?:was|welche[rs]?) (?:sind|waren|\p{Lu}\p{Ll}+n?\b)|was (?:muss|soll|sollen|müssen|darf|brauche|brauchen|nehme|nehmen|bringe) \b|que (?:faut-il|dois-je|doit-on)\b|qu'est-ce qu'il faut\b|¿?qué (?:hay que|debo|debemos|tengo que|tenemos que|se debe|se necesita|necesito|necesitamos)\b|(?:che )?cosa (?:devo|dobbiamo|bisogna|serve)\b|o que (?:devo|é preciso|preciso)\b|wat (?:moet|moeten|neem|breng)\b|quel(?:le)?s\b|cu[áa]les\b|¿cu[áa]les\b|quali\b|welke\b|wat zijn\b|quais\b)/iu;
/** "Which wine goes with it?", whose verb looks like the name of many things; not "What waste goes in the yellow bin?". */
const asksForOne =
  /^\W*(?:and )?(?:what|which) (?:\p{Ll}+ )?\p{Ll}{2,}(?<!s) (?:goes(?! (?:in|into|on|where)\b)|comes|takes|gets|makes|gives|suits|contains|belongs(?! (?:in|into|on)\b)|starts|begins|opens|closes|leaves|runs|sells|serves|pays|keeps|lives|teaches|leads|costs|needs|means|arrives|departs|stops|fits|pairs|wins|says|happens|applies|includes|covers)\b/iu;
/** "How do I set it up?", which steps with numbers answer. */
const asksHow = /^\W*(?:and )?how (?:(?:do|can|should|must) (?:i|you|we|one)|to|is|are)\b/i;
/** "How many desserts are there?", which a reader of the list can count where no sentence says it. */
const asksForCount =
  /^\W*(?:and )?(?:how many (?:\p{Ll}+ )?\p{Ll}{2,}s (?:are there|do you (?:have|offer|sell)|does (?:it|the \p{Ll}+) (?:have|offer|need|include))|wie viele \p{Lu}\p{Ll}+ (?:gibt es|haben sie|habt ihr|stehen)|combien de \p{Ll}+s (?:y a-t-il|avez-vous|proposez-vous)|cuánt[oa]s \p{Ll}+s (?:hay|tienen))(?!\p{L})/iu;
/** "How do I make it?", asked about what the page is about. */
const makeVerbs: ReadonlySet<string> = new Set('make made cook prepare bake'.split(' ').map(stemOf));

/** Words of which each is as good as the others in the name of a list. */
const sameNames = ['bring pack take carry', 'step method instruction procedure direction preparation'].map(
  (words) => new Set(words.split(' ').map(stemOf)),
);
const making = sameNames[1]!;
/** What a question may say besides the name of a list: verbs that ask for any list, and who it is for. */
const generic: ReadonlySet<string> = new Set(
  `offer provide sell have need require use include exist list name give show tell follow apply assign agree all along there available child kid`
    .split(' ')
    .map(stemOf),
);

/** The name of a table that is a file, "members.csv", names its rows. */
const tableFile = /\.(?:csv|tsv|xls[xm]|ods)$/i;

/** "What should I do if …" asks for what to do then, which no list is named after. */
const isConditional = /\bdo,? (?:if|when|in case)\b|^\W*(?:and |so )?(?:what )?(?:if|when|in case)\b/i;
/** What the name of a list may say besides what the list is of: "Possible side effects". */
const freely: ReadonlySet<string> = new Set(
  'possible common general main key important basic typical usual complete full'.split(' ').map(stemOf),
);

/** The list with the name that the question gives it, if it is short enough to be shown whole. */
export function quoteAskedList(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const isForSteps = asksHow.test(question.asked);
  const isForCount = asksForCount.test(question.asked);
  if (!isForSteps && !isForCount && !asksForAll.test(question.asked)) return undefined;
  if (isConditional.test(question.asked) || asksForOne.test(question.asked)) return undefined;
  if (
    isForCount &&
    sources.some((source) => readPassage(source, question.language).units.some((unit) => saysCount(unit, question)))
  )
    return undefined;
  const wanted = question.terms.map(({ stem }) => stem);
  // Below "Soup", no list says how many calories it has, though each of its items may be of what else is asked for.
  const kinds = isForCount ? [] : question.focus;
  const isToMake = isForSteps && wanted.some((stem) => makeVerbs.has(stem));
  for (const source of sources) {
    const { units, titleStems } = readPassage(source, question.language);
    const title = new Set(titleStems);
    for (let at = 0; at < units.length; at += 1) {
      const list = listFrom(units, at, question.language);
      if (list === undefined) continue;
      const shown = units.slice(list.from, list.to + 1);
      if (countUnitWords(shown) > listWords) continue;
      const { name } = list;
      const isMeant =
        isNamed(wanted, name, new Set([...title, ...kinds])) ||
        (list.isTable &&
          tableFile.test(source.title) &&
          isNamed(wanted, nameStems(source.title.replace(tableFile, ''), question.language), title)) ||
        (isToMake &&
          name.some((stem) => making.has(stem)) &&
          wanted.every((stem) => makeVerbs.has(stem) || title.has(stem)));
      if (isMeant && (!isForSteps || shown.some(({ bullet }) => /\d/.test(bullet)))) return { source, units: shown };
    }
  }
  return undefined;
}

/** Whether a unit may say how many there are of what is asked for. */
function saysCount({ kind, text, words }: ReadUnit, { terms }: AnalysedQuestion): boolean {
  return (
    kind === 'sentence' &&
    words.some(({ stem }) => terms.some((term) => term.stem === stem)) &&
    text.split(/[^\p{L}\p{N}]+/u).some(isNumber)
  );
}

/**
 * A list of at least two items or values with names, or a table of at least two rows, that begins at `at`, with the stems of its
 * name.
 */
function listFrom(
  units: readonly ReadUnit[],
  at: number,
  language: StemmedLanguage | undefined,
):
  | { readonly from: number; readonly to: number; readonly isTable?: boolean; readonly name: readonly string[] }
  | undefined {
  const { kind, section, header, block, text } = units[at]!;
  const before = units[at - 1];
  if (kind === 'row' && header !== '' && before?.header !== header) {
    let to = at;
    while (units[to + 1]?.header === header) to += 1;
    return to === at ? undefined : { from: at, to, isTable: true, name: nameStems(header.split('|')[0]!, language) };
  }
  if (kind === 'sentence' && section !== '' && before?.block !== block && isEntryLine(text)) {
    let to = at;
    while (units[to + 1]?.block === block) to += 1;
    const isOfEntries = units.slice(at, to + 1).every((unit) => isEntryLine(unit.text));
    return to === at || !isOfEntries ? undefined : { from: at, to, name: nameStems(section, language) };
  }
  if (!isListed(units[at]!) || (before !== undefined && isListed(before) && before.section === section))
    return undefined;
  const { from, to } = listAround(units, at);
  if (units[to]!.block === block) return undefined;
  return { from, to, name: nameStems(from < at && announces(units[from]) ? units[from]!.text : section, language) };
}

/**
 * Whether a name says what is wanted and nothing else, apart from what is `given`: what the page is about, and of what the items
 * are.
 */
function isNamed(wanted: readonly string[], name: readonly string[], given: ReadonlySet<string>): boolean {
  const isSame = (stem: string, other: string) =>
    stem === other || sameNames.some((group) => group.has(stem) && group.has(other));
  return (
    name.some((stem) => wanted.some((each) => isSame(stem, each))) &&
    name.every((stem) => given.has(stem) || freely.has(stem) || wanted.some((each) => isSame(stem, each))) &&
    wanted.every((each) => generic.has(each) || given.has(each) || name.some((stem) => isSame(stem, each)))
  );
}

/** "Sat: 9:00 to 14:00", "17:00-18:00 gymnastics" */
function isEntryLine(text: string): boolean {
  return isNamedValue(text) || /^\d{1,2}[:.]\d{2}/.test(text);
}

/** The stems of a name in a language, without its function words. */
function nameStems(name: string, language: StemmedLanguage | undefined): string[] {
  const functionWords = language === undefined ? undefined : languageWords.get(language);
  return readWords(name, language)
    .filter(({ start, length }) => functionWords?.has(name.slice(start, start + length).toLowerCase()) !== true)
    .map(({ stem }) => stem)
    .filter((stem) => language !== undefined || !stopStems.has(stem));
}
