/**
 * Questions that a document may answer, made from what it says: headings that are questions, sentences with opening hours,
 * prices and definitions, and headings that name a subject. They are candidates: ask one before showing it.
 */
import { languageOfText } from '../../../base/text/language.ts';
import { stopWords } from '../../../base/text/stop-words.ts';
import { splitUnits } from '../text/sentences.ts';
import { countWords } from '../text/words.ts';

/** A stretch of a document, as it is indexed. */
export interface DocumentPassage {
  readonly snapshot: string;
  readonly text: string;
}

/** A question, and the page that it was made from. */
export interface ProposedQuestion {
  readonly question: string;
  readonly snapshot: string;
}

/** Questions of each kind from one page, and characters of a question; set by hand. */
const maxPerPage = 2;
const maxCharacters = 90;
/** "The Heron Desk is a …": what it names, and the verb. */
const definition =
  /^((?:(?:An?|The)\s)?[\p{L}`][\p{L}\p{N}`'’-]*(?:\s(?:of\s(?:the\s)?)?[\p{L}\p{N}][\p{L}\p{N}'’-]*){0,3}?)\s(is|are)\s(?:an?|the|one of)\s/u;
/** "Quiet hours are from 22:00 …", "The laundry room is open from 8:00 …". */
const hours = /^(\p{Lu}[^.,;:()]{2,40}?)\s(is|are)\s(open\s)?(?:from|between)\s\d/u;
/** "A wash costs 2.50 euros". */
const price = /^(\p{Lu}[^.,;:()]{2,40}?)\s(costs?)\s(?:\p{Sc}\s?)?\d/u;
/** The end of a plural, and what may follow the thing that is sold: "tickets for the museum". */
const plural = /(?:[^s]s|children|people|men|women|feet)$/i;
const afterThing = /\s(?:for|of|in|at|to|with|from|on|by|per)\s/;
/** Words that may be between those of a name: "the length of a value". */
const inNames = /^(?:of|the|an?)$/i;
/** What follows the verb of a definition, up to its noun: "a library", but not "a 429" or "the same". */
const defines = /^(?!the (?:only|same|first|last|next|one)\b)(?:an?|the|one of)\s[^\p{L}]{0,2}\p{L}/u;
/** Names of cases instead of things: "a call over the limit", "the second one". */
const isCase =
  /\s(?:over|under|above|below|beyond|in|on|at|to|by|for|from|with|without|within|after|before|between|beside|than|that|which|and|or|not)\s|^(?:the\s)?(?:first|second|third|last|next|only|rest|other|others|same|default|result|answer|reason|former|latter|following|whole|more|another|everything|nothing|anything)\b/iu;
const pronoun =
  /^(?:it|he|she|they|we|you|i|this|that|these|those|there|here|what|who|which|such|each|all|both|one|if|when|as|in|on|at|since|although|though|unlike|note)\b/i;
/** Headings that name a place in a document instead of a subject. */
const structural =
  /^(?:(?:table of )?contents|introduction|overview|summary|abstract|appendix|notes?|references|bibliography|see also|faq|questions and answers|conclusions?|background|general|miscellaneous|other|index|about|details|examples?|more|links|chapter|section|part|article|page|version|step)\b|^[\p{N}\p{P}\s]*$/iu;
/** Candidates, the best kind first and pages in turn; none of documents in other languages but their own questions. */
export function proposeQuestions(passages: readonly DocumentPassage[]): ProposedQuestion[] {
  const asked: ProposedQuestion[] = [];
  const valued: ProposedQuestion[] = [];
  const defined: ProposedQuestion[] = [];
  const named: ProposedQuestion[] = [];
  const known = new Set<string>();
  const add = (list: ProposedQuestion[], snapshot: string, question: string | undefined) => {
    if (question === undefined || known.has(question) || question.length > maxCharacters) return;
    if (list.filter((each) => each.snapshot === snapshot).length >= maxPerPage) return;
    known.add(question);
    list.push({ question, snapshot });
  };
  const written = new Set(passages.flatMap(({ text }) => text.match(/[\p{L}\p{N}'’-]+/gu) ?? []));
  for (const { snapshot, text } of passages) {
    const isEnglish = languageOfText(text) === 'en';
    let section = '';
    for (const unit of splitUnits(text)) {
      if (unit.section !== section) {
        section = unit.section;
        if (section.endsWith('?') && countWords(section) >= 3) add(asked, snapshot, section);
        else if (isEnglish && namesSubject(section))
          add(named, snapshot, `What should I know about ${loweredHeading(section, written)}?`);
      }
      if (!isEnglish || unit.kind !== 'sentence') continue;
      add(valued, snapshot, askForValue(unit.text));
      add(defined, snapshot, askForDefinition(unit.text));
    }
  }
  return [asked, valued, defined, named].flatMap(inTurn);
}

function askForDefinition(sentence: string): string | undefined {
  const [, name, verb] = definition.exec(sentence) ?? [];
  if (name === undefined || pronoun.test(name) || isCase.test(name) || !isNoun(name)) return undefined;
  return !defines.test(sentence.slice(name.length + ` ${verb} `.length))
    ? undefined
    : `What ${verb} ${lowered(name, verb === 'are')}?`;
}

/** Whether a name is one: not "By default that", "Every call" or "Since this". */
function isNoun(name: string): boolean {
  return name.split(' ').every((word) => inNames.test(word) || !stopWords.has(word.toLowerCase()));
}

function askForValue(sentence: string): string | undefined {
  const [, what, verb, open = ''] = hours.exec(sentence) ?? [];
  const isOpen = open === '' ? '' : ' open';
  if (what !== undefined)
    return pronoun.test(what) ? undefined : `When ${verb} ${lowered(what, verb === 'are')}${isOpen}?`;
  const [, sold, costs] = price.exec(sentence) ?? [];
  if (sold === undefined || pronoun.test(sold)) return undefined;
  const [thing = ''] = sold.split(afterThing);
  const isPlural = costs === 'cost' && (plural.test(thing) || / and /.test(sold));
  // "The construction cost 2 million": of one thing, the form without an s is the past.
  return `How much ${costs === 'costs' ? 'does' : isPlural ? 'do' : 'did'} ${lowered(sold, isPlural)} cost?`;
}

function namesSubject(heading: string): boolean {
  const words = countWords(heading);
  return (
    words >= 1 && words <= 6 && heading.length >= 4 && !structural.test(heading) && !/[:;()[\]{}<>=`/\\|]/.test(heading)
  );
}

/** The beginning of a sentence within another: "the boiler". Capitals stay where more words have them, as in names. */
function lowered(name: string, isPlural: boolean): string {
  const [, article, rest = ''] = /^(An?|The)\s(.*)$/s.exec(name) ?? [];
  if (article !== undefined) return `${article.toLowerCase()} ${rest}`;
  const isName = (!isPlural && !/\s/.test(name)) || /\s\p{Lu}|^\p{Lu}{2}|\p{Ll}\p{Lu}/u.test(name);
  return isName ? name : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** "Pruning", "Heating": what is done has no name. */
const activity = /^\p{Lu}\p{Ll}{3,}ing$/u;

/** A heading of one word is a name, unless it is an activity, or the documents also write it without a capital. */
function loweredHeading(heading: string, written: ReadonlySet<string>): string {
  const plain = heading.toLowerCase();
  return written.has(plain) || activity.test(heading) ? plain : lowered(heading, false);
}

/** The first of each page, then the second of each. */
function inTurn(questions: readonly ProposedQuestion[]): ProposedQuestion[] {
  const seen = new Map<string, number>();
  return questions
    .map((each) => {
      const turn = seen.get(each.snapshot) ?? 0;
      seen.set(each.snapshot, turn + 1);
      return { each, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ each }) => each);
}
