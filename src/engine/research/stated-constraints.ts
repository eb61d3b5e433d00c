/**
 * Which constraints of a plan the prompt states. Models like to add some of their own: a site they know, this year, English.
 * Such a constraint hides the answer from the search, so it counts only if words of the author ask for it. What is missed
 * here costs little: the search is wider than it could be.
 */
import { plainWordsIn } from '../../base/text/plain-words.ts';
import type { Brief, Plan } from '../ports/model.ts';

/** Characters in which constraints are looked for; longer prompts bring material along. Set by hand. */
const maxText = 8_000;
/** Shortest label of a host that may span several words: "stack overflow" for stackoverflow.com. Set by hand. */
const minRunOn = 5;
/** Languages in which the name of a language is looked for. */
const namingLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'ru',
  'uk',
  'tr',
  'ja',
  'zh',
  'ko',
  'ar',
];

/**
 * The plan with only those of its constraints that the prompt, or one it follows up on, states. Sources to avoid are kept
 * if the text names their host.
 */
export function statedConstraints(plan: Plan, brief: Brief): Plan {
  const { queries, parts, from, to, language, only = [], never = [] } = plan;
  const text = authorText(brief).slice(0, maxText);
  const names = createHostTest(text);
  return {
    queries,
    ...(parts === undefined ? {} : { parts }),
    only: only.filter(names),
    never: never.filter(names),
    ...(from !== undefined && statesDate(text, from) ? { from } : {}),
    ...(to !== undefined && statesDate(text, to) ? { to } : {}),
    ...(language !== undefined && namesLanguage(text, language) ? { language } : {}),
  };
}

/** What the author of a prompt wrote: inputs of a designed API are data and state nothing. */
export function authorText({
  prompt,
  parts,
}: {
  readonly prompt: string;
  readonly parts?: Brief['parts'] | undefined;
}): string {
  return parts === undefined ? prompt : parts.map(({ text, input }) => (input === undefined ? text : ' … ')).join('');
}

const generic = new Set('www com org net int edu gov co ac uk de fr en eu io info site web'.split(' '));

function createHostTest(text: string): (host: string) => boolean {
  const lower = text.toLowerCase();
  const words = plainWordsIn(text);
  const runOn = words.join('').toLowerCase();
  const exact = new Set(words);
  const folded = new Set(words.map((word) => word.toLowerCase()));
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word));
  const initials = capitals.map((word) => word[0]!.toLowerCase()).join('');
  return (host) => {
    const bare = host.toLowerCase().replace(/^www\./, '');
    if (lower.includes(bare.split('/')[0]!)) return true;
    const labels = bare
      .split('/')[0]!
      .split('.')
      .filter((label) => label.length > 1 && !generic.has(label));
    return labels.some((label) => {
      // "who" is a word of most questions; "WHO" is not.
      if (label.length <= 3 ? exact.has(label.toUpperCase()) : folded.has(label)) return true;
      if (label.length >= minRunOn && runOn.includes(label.replaceAll('-', ''))) return true;
      return isAbbreviation(label, capitals, initials);
    });
  };
}

/**
 * Whether capitalised words in a row make the label: by their initials ("World Health Organization"), or with the last in full
 * ("New York Times").
 */
function isAbbreviation(label: string, capitals: readonly string[], initials: string): boolean {
  if (label.length >= 3 && initials.includes(label)) return true;
  return capitals.some((word, at) => {
    const last = word.toLowerCase();
    const first = label.slice(0, -last.length);
    return last.length > 3 && first !== '' && label === first + last && initials.slice(0, at).endsWith(first);
  });
}

const bounds =
  'since after before until till by from between published publication news articles? sources? reports? papers? ' +
  'seit nach vor bis ab zwischen veröffentlicht depuis après avant entre publiée?s? desde después antes hasta publicad[oa]s? dal dopo prima fino tra sinds tussen';
const unit = '(?:hours?|days?|weeks?|months?|years?|decades?)';
const relative = new RegExp(
  String.raw`\b(?:(?:last|past|previous|this|recent) (?:\w+ )?${unit}|yesterday|today|recently|${unit} ago|(?:letzte|diese)[mnrs]? (?:\w+ )?(?:Tage?n?|Wochen?|Monate?n?|Jahre?n?)|heute|gestern|(?:derni[eè]re?s?|últim[oa]s?|ultim[oaie])\b)`,
  'iu',
);
const bounding = new RegExp(String.raw`(?<!\p{L})(?:${bounds.replaceAll(' ', '|')})(?!\p{L})`, 'iu');

/**
 * Whether the text limits the time of publication to a bound such as this date; relative dates, and any text in a script
 * other than Latin, count as such a bound.
 */
function statesDate(text: string, date: string): boolean {
  if (!/\p{Script=Latin}{3}/u.test(text) || relative.test(text)) return true;
  const year = Number(date.slice(0, 4));
  const isNear = [year - 1, year, year + 1].some((each) => new RegExp(String.raw`(?<!\d)${each}(?!\d)`).test(text));
  return isNear && bounding.test(text);
}

function namesLanguage(text: string, language: string): boolean {
  const lower = text.toLowerCase();
  const [code = ''] = language.split('-');
  return [...namingLanguages, code].some((naming) => {
    const name = nameOf(code, naming);
    return name !== undefined && lower.includes(name.toLowerCase().slice(0, 6));
  });
}

/** The language's name in another language; undefined if either is unknown. */
function nameOf(code: string, naming: string): string | undefined {
  try {
    return new Intl.DisplayNames([naming], { type: 'language', fallback: 'none' }).of(code);
  } catch {
    return undefined;
  }
}
