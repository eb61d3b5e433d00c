/**
 * Plans a search: the queries are the prompt without instructions about the form of the answer, and the parts of a
 * question that asks several things. Sources and a timeframe are read only where the prompt mentions sources explicitly.
 */

import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import type { Plan } from '../../../engine/ports/model.ts';
import { readWords } from '../text/words.ts';
import { analyse, type Term } from './analyse.ts';
import { ofAnything } from './asked/asked-thing.ts';
import { aspectsOf } from './aspects.ts';
import { cleanPrompt } from './clean-prompt.ts';
import { isElliptical } from './context.ts';

/** Queries of a search, and of a deep one, which has 40; set by hand. */
const maxQueries = 4;
const deepQueries = 13;
/** Characters of a query. */
const maxCharacters = 1000;

/**
 * The plan for a prompt: the whole question first, then its parts, 4 queries in all, or 13 if the search is deep; and the constraints
 * on sources. `constraintText` is the text that constraints are read from.
 */
export function planSearch(prompt: string, constraintText = prompt, isDeep = false): Plan {
  const text = cleanPrompt(prompt);
  const aspects = aspectsOf(text).map(({ question }) => question);
  const parts =
    aspects.length > 0 ? aspects : text.split(/(?<=\?)\s+|;\s+|,?\s+and (?=(?:who|what|when|where|which|how|why)\b)/i);
  const complete = parts.length === 1 ? [] : parts.map((part) => part.trim()).filter(isSearchable);
  // A deep search also looks for whatever names the same things: lists have items in words of their own.
  const names = isDeep && complete.length < 2 ? analyse(text).names : [];
  const wide = names.length > 0 ? [names.join(' ')] : [];
  const queries = complete.length > 1 ? [text, ...complete] : [text, ...wide, ...lifeQueries(text)];
  const distinct = [...new Set(queries.map((query) => query.slice(0, maxCharacters)))];
  return {
    queries: distinct.slice(0, isDeep ? deepQueries : maxQueries),
    ...readConstraints(constraintText.slice(0, 4000)),
  };
}

/** A page says when somebody was born and died where it says who that is: "Ada Merrow (1810–1849), born in Morrow, was …". */
function lifeQueries(text: string): string[] {
  const [, name] = ofLife.exec(text) ?? [];
  return name === undefined ? [] : [`${name} born`];
}

const ofLife =
  /^(?:when|(?:in |on )?(?:what|which) (?:year|date|day)) (?:did|was|were) (?!(?:he|she|they|it|the|his|her|their)\b)(.{2,60}?) (?:born|die)\b/i;

function isSearchable(part: string): boolean {
  return analyse(part).terms.length >= 2;
}

/**
 * Whether a question cannot be understood without the previous one: it names nothing of its own, or has a pronoun and no name
 * before it. "Which router do we have?" and "What is a plan?" can; "How much?", "Who is the mayor?" and "Which router?" cannot.
 */
export function isContextDependent(question: string): boolean {
  const { terms, names, language } = analyse(question);
  if (terms.length < 2 && !namesItsOwn(question, terms[0], language)) return true;
  if (names.length > 0) return subject.test(question);
  return /\b(?:it|its|he|she|him|his|her|they|them|their|this|that|these|those|there|one)\b/i.test(
    question.replace(existence, ' '),
  );
}

/** "Is there a pool?" refers to no place. */
const existence = /\b(?:is|are|was|were) there (?=(?:an?|any|some|no|\p{L}+s)\b)/iu;
/** "Is the …", "does", "ist", "avons": without one, a question only adds to the one before it. */
const verb =
  /(?<!\p{L})(?:do|does|did|is|are|was|were|has|have|had|can|could|may|must|should|will|would|ist|sind|war|waren|hat|haben|kann|können|darf|muss|wird|gibt|est|sont|était|avons|avez|peut|faut|y a-t-il|es|son|está|están|era|hay|è|sono|c['’]è|zijn|heeft|hebben|kan|moet|é|são|há)(?!\p{L})/iu;
/** "we leave", "wir parken": what is done, to something named before. */
const doer = /^(?:i|we|you|they|people|one|ich|wir|man|du|ihr|on|je|nous|vous|tu)$/i;
/** "Can you tell me the price?", "When is the deadline?": of something named before. */
const attribute =
  /\bthe (?:price|cost|fee|rent|deposit|address|phone|number|e-?mail|website|date|time|duration|length|height|width|weight|size|age|colou?r|name|reason|difference|result|deadline|limit|maximum|minimum|total|answer|rest|others?)\W*$/i;
/** "Who is the mayor?", "Wie hoch ist die Miete?": what something named before has; "What is a plan?" asks for a meaning. */
const ofNamed =
  /^\P{L}*(?:(?:who|what|which|wer|was|wat|qui|quel(?:le)?s?|qué|quién(?:es)?|cuál(?:es)?|cómo|chi|quale?|quali|quem|quais)|(?:how|wie|hoe)(?: \p{L}+)?) (?:is|are|was|were|ist|sind|war|waren|est|sont|était|étaient|es|son|era|eran|è|sono|zijn|é|são) (?:(?:the|der|die|das|les?|la|el|los|las|il|lo|i|gli|de|het|os?|as)(?= )|l['’])/iu;
/** "Is there a discount?", "Gibt es Rabatt?": where, or for what, was said before. */
const asksExistence =
  /^\P{L}*(?:(?:is|are|was|were) there|gibt es|y a-t-il|hay|c['’]è|ci sono|há|is er|zijn er)(?!\p{L})/iu;
const pronounInOtherLanguages =
  /(?<![\p{L}-])(?:er|sie|es(?= )|ihn|ihm|sein\p{L}{0,2}|ihre?[mnrs]?|das(?! \p{Lu})|dies\p{L}{0,2}|da(?:für|von|mit|zu|rin|bei)|dort|il|elle|ils|elles|ça|cela|lui|son|sa|ses|él|ella|ellos|ellas|eso|esto|su|sus|ello|hij|zij|het(?=\W*$)|dat|daar|lei|ciò|isso)(?!\p{L})/u;

/** Whether a question with one term is complete and about that. */
function namesItsOwn(question: string, term: Term | undefined, language: StemmedLanguage | undefined): boolean {
  if (term === undefined || !verb.test(question) || isElliptical(question) || /^\W*(?:and|but|or|so)\b/i.test(question))
    return false;
  if (attribute.test(question) || ofNamed.test(question) || asksExistence.test(question)) return false;
  if (language !== undefined && pronounInOtherLanguages.test(question)) return false;
  const words = readWords(question, language).map(({ start, end }) => question.slice(start, end));
  const [before = '', word = ''] = [words[term.at - 1], words[term.at]];
  return !(
    doer.test(before) ||
    ofAnything.test(word) ||
    (/^(?:is|are|was|were|be)$/i.test(before) && /(?:ed|ing)$/i.test(word))
  );
}

/** "When does it get to …": what is asked about is not named. "Is it possible" and "how long does it take" name nothing either. */
const subject =
  /^(?:and |so )?(?:(?:when|where|how|why|what|which|who)\b.{0,20} )?(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would) (?:it|he|she|they)\b(?! (?:take|cost|rain|snow|possible|true|necessary|allowed|okay|ok|legal|safe|worth|better|important|required)\b)/i;

const host = String.raw`((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}|(?:\d{1,3}\.){3}\d{1,3})(?:/\S*)?`;
const onlyFrom = new RegExp(
  String.raw`\b(?:(?:only|just|solely|exclusively)\b[^.?!\n]{0,40}?\b(?:from|on|use|using|at)|us(?:e|ing) (?:only|just))\s+(?:https?://)?${host}`,
  'gi',
);
const neverFrom = new RegExp(
  String.raw`\b(?:not|never|except|excluding|without|ignore|avoid)\b(?:\s+(?:use|using|from|on|sources?|pages?|anything)){0,3}\s+(?:https?://)?${host}`,
  'gi',
);
const sources = String.raw`\b(?:sources?|articles?|pages?|news|papers?|publications?|published|written)\b[^.?!\n]{0,30}?`;
const since = new RegExp(
  String.raw`${sources}\b(?:since|after|from)\s+((?:19|20)\d{2})(?!\s*(?:and|to|-|–)\s*\d)`,
  'i',
);
const until = new RegExp(String.raw`${sources}\b(?:before|until|up to)\s+((?:19|20)\d{2})`, 'i');
const between = new RegExp(
  String.raw`${sources}\b(?:between|from)\s+((?:19|20)\d{2})\s*(?:and|to|-|–)\s*((?:19|20)\d{2})`,
  'i',
);

function readConstraints(prompt: string): Omit<Plan, 'queries'> {
  const hosts = (pattern: RegExp) => [...prompt.matchAll(pattern)].map((match) => match[1]!.toLowerCase()).slice(0, 10);
  const only = hosts(onlyFrom);
  const never = hosts(neverFrom).filter((each) => !only.includes(each));
  const range = between.exec(prompt);
  const from = range?.[1] ?? since.exec(prompt)?.[1];
  const to = range?.[2] ?? (until.test(prompt) ? String(Number(until.exec(prompt)![1]) - 1) : undefined);
  return {
    ...(only.length === 0 ? {} : { only }),
    ...(never.length === 0 ? {} : { never }),
    ...(from === undefined ? {} : { from: `${from}-01-01` }),
    ...(to === undefined ? {} : { to: `${to}-12-31` }),
  };
}
