/**
 * The thing that a question asks after: "cot" of "Is there a cot for babies?", "MySQL" of "Does it support MySQL?", "director" of
 * "Who is the director?", "session" of "What does a session cost?". A text that does not speak of it, by any word, does not answer. In
 * other languages, only of what there may be, and of what has a price.
 */
import type { StemmedLanguage } from '../../../../base/text/stems/foreign-stemmer.ts';
import { readWords } from '../../text/words.ts';

const verbs =
  'have|sell|offer|do|support|serve|rent(?! out\b)|accept|get|provide|stock|include|contain|buy|use|take|bring|set|borrow|speak|need|require';
/** What begins after the thing: "in Spanish", "instead of". */
const end =
  'for|in|with|at|on|from|to|that|which|of|instead|when|if|too|as|or|by|during|after|before|online|there|here|inside|outside|across|along|myself|ourselves|yourself|itself|too|home|back|off|out|up|down|away|again|yet|already|now|every|each|per';
const asked = new RegExp(
  String.raw`^\W*(?:and |so )?(?:(?:is|are|was|were) there|(?:do|does|did|can|could|may) (?:you|they|it|we|I|the \w+|\p{Lu}\w+) (?:${verbs})(?! (?:got )?to\b)) (?:an? |any |some |the |my |our )?(.*?)(?=\s(?:${end})\b|[?.,;]|$)`,
  'iu',
);

/** "Roundup or other weedkillers": the kind is what must be said. */
const alternative = /(?<= )\p{Lu}\p{L}+ or (?:any )?(?:other|another) (?=\p{L})/u;
/** "A night", "an hour": what a price is per need not be said. */
const timed = /^(?:night|day|hour|week|weekend|month|year|minute)s?$/i;

/** "milk" of "Can I take it with milk?": what is done is of the page's subject. */
const beside =
  /^\W*(?:and |so )?(?:can|could|may|should) (?:i|we|you|they) \p{L}+ (?:it|them|this|these) (?:together )?with (?:an? |the |my |some |other )?(\p{L}+)\W*$/iu;

/** What any thing may be, which no name of it need say. */
export const ofAnything =
  /^(?:.*est|next|last|first|second|third|most|least|main|other|same|whole|full|half|new|old|big|small|large|little|long|short|good|nice|cheap|expensive|free|different|single|certain|particular|local|nearby|current|usual|normal|ordinary|extra|additional|more|own|private|real|right|wrong|early|late|average|total)$/i;
/** After these, a word says what somebody does: "Do not lift anything" speaks of no lift. */
const beforeVerb = /(?:^|[^\p{L}])(?:not|to|can|could|may|must|should|will|would|please|you|we|they|never)\s+$/iu;

/** "founded" of "When was the club founded?" */
const deed = /^\W*(?:and )?(?:when|(?:in )?(?:what|which) year) (?:was|were|did) .*?(\p{L}+)\W*$/iu;

/** Whether a question asks when something was done, so that its thing is a verb: "When did Martin offer to come?" */
export function asksForDayOfDeed(question: string): boolean {
  return deed.test(question);
}

/** "address" of "What is Mr Abbott's address?" */
const ofSomebody =
  /^\W*(?:[Aa]nd |[Ss]o )?[Ww]hat(?:'s|’s| is| are| was| were) (?:\p{Lu}[\p{L}.]* )*\p{Lu}\p{L}+['’]s? ((?:\p{Ll}+ ){0,2}\p{Ll}+)\W*$/u;

/** Patterns of other questions; the last word of the first group is what must be said. */
const things: readonly RegExp[] = [
  // "session" of "What does a training session on Sunday cost?"
  /^\W*(?:and )?(?:what|how much) (?:does|do|did|would|will) (?:an? |the |another |one )?(.*?)(?: (?:on|in|at|for|with|from|to|per) .*?)? costs?\b/iu,
  // "director" of "Who is the director of the museum?", "weight" of "What is the weight of the boat?"
  new RegExp(
    String.raw`^\W*(?:and |so )?(?:who|what)(?:'s|’s| is| are| was| were) (?:the|your|our|their|my|its|his|her) (.*?)(?=\s(?:${end})\b|[?.,;]|$)`,
    'iu',
  ),
  ofSomebody,
  deed,
  // "pets" of "Are pets in the rooms allowed?", but not "smoking", which is also said as "smoke"
  new RegExp(
    String.raw`^\W*(?:is|are) (?!(?:it|we|i|you|they|there|this|that)\b)(?:an? |any |the |my |our |your )?(?!\p{L}+ing\b)(.*?)(?: (?:${end}|under|over) .*?)? (?:allowed|permitted|welcome|prohibited|forbidden)\b`,
    'iu',
  ),
  // "canal" of "How long does a root canal take?"
  /^\W*(?:and )?how long (?:does|do|will|would) (?:an? |another |one )(.*?)(?: (?:on|in|at|for|with|from|to|per) .*?)? (?:take|last)\b/iu,
  // "waterproof" of "Is the bag waterproof?"; hours answer "open", and a price "free".
  /^\W*(?:is|are|was|were) (?:the|it|they|my|this|your|our) (?:\p{L}+ )?((?!(?:open|closed|free|allowed|permitted|ok|okay|possible|far|near|big|long|old|new|expensive|cheap|safe)\b)\p{L}+)\W*$/iu,
];

/**
 * "piscine" of "Y a-t-il une piscine ou un sauna ?", "Kuchen" of "Gibt es heute Kuchen?". Not what something has, which a text says in
 * other words: "Der Golf ist rot" names no colour.
 */
const foreignThing =
  /^\P{L}*(?:gibt es|y a-t-il|hay) (?:(?:heute|morgen|immer|noch|schon|auch|hier|dort|denn|eigentlich|encore|toujours|aujourd['’]hui|demain|aussi|déjà|ici|todavía|aún|siempre|hoy|mañana|también|ya|aquí|allí) )*(?:(?:ein(?:e[nrs]?)?|une?|una?|du|de la|des) |de l['’])?(\p{L}+)(?!\p{L})(?! (?:o|ou|oder) )/iu;

/** The stem of the thing in a question of another language; undefined for questions of other forms. */
export function foreignThingAskedFor(question: string, language: StemmedLanguage): string | undefined {
  const name = foreignThing.exec(question)?.[1];
  return name === undefined ? undefined : readWords(name, language)[0]?.stem;
}

/** "Was kostet ein Kinderbett?": what has a price in other languages, of which some text must speak. */
const priced =
  /^\P{L}*(?:was kostet|wie ?viel kostet|wie teuer ist|combien coûte|quel est le prix d[eu]|cuánto cuesta|cuánto vale|quanto costa|wat kost|hoeveel kost|quanto custa)(?:\s+(?:ein(?:e[nmr]?)?|der|die|das|une?|le|la|du|el|un|una|il|lo|een|de|het|um|uma|o|a))?\s+(?:l['’])?(\p{L}{3,})/iu;
/** "für Studenten", "for a motorbike": the person or thing that a price is for, at the end of a question. */
const beneficiary =
  /(?<!\p{L})(?:for|für|pour|para|per|voor)\s+(?:(?:an?|the|my|ein(?:e[nmr]?)?|den|die|das|une?|les?|la|el|los|las|una|unos|il|gli|een|de|het|os|as)\s+)?(?!(?:you|it|us|me|him|her|them|one|two|three|four|people|persons?|adults?|days?|nights?|weeks?|months?|years?|hours?|minutes?|all|everybody|everyone|free|sale|rent|that|this|Personen?|Person|Tage?|Nacht|Nächte|Wochen?|Monate?|Jahre?|Stunden?|jours?|nuits?|semaines?|mois|ans?|heures?|personnes?|días?|noches?|semanas?|mes|meses|años?|horas?|personas?)(?!\p{L}))(\p{L}{3,})\W*$/iu;

/**
 * The stems of the words that some text must have to answer a question for a price or a discount: the thing, in other languages than
 * English, and the person or thing that it is for. Empty for other questions.
 */
export function pricedThings(question: string, language: StemmedLanguage | undefined): string[] {
  const thing = language === undefined ? undefined : priced.exec(question)?.[1];
  const found = [thing, beneficiary.exec(question)?.[1]].filter((word) => word !== undefined);
  return found.flatMap((word) => readWords(word, language).map(({ stem }) => stem));
}

/**
 * The stems of the words before it that say which kind is meant: "yoga" of "Is there a yoga class?". Empty for questions of other
 * forms.
 */
export function kindAskedFor(question: string): string[] {
  const name = asked.exec(question)?.[1] ?? '';
  if (!/^(?:\p{L}+ ){1,2}\p{L}+$/u.test(name) || /\b(?:without|around|between|and|or)\b/.test(name)) return [];
  const words = readWords(name).slice(0, -1);
  return words.filter(({ start, end }) => !ofAnything.test(name.slice(start, end))).map(({ stem }) => stem);
}

/** The stem of what must be said, the last word of a name; undefined for questions of other forms. */
export function thingAskedFor(question: string): string | undefined {
  const other = beside.exec(question)?.[1];
  if (other !== undefined) return lastStem(other);
  const name = asked.exec(question.replace(alternative, ''))?.[1];
  if (name !== undefined && !/^(?:some|any|every|no)(?:thing|one|body|where)\b/i.test(name)) return lastStem(name);
  for (const pattern of things) {
    const found = pattern.exec(question)?.[1];
    if (found !== undefined) return timed.test(found) ? undefined : lastStem(found);
  }
  return undefined;
}

/** A number is seldom called one: of "order number", "order" must be said. */
function lastStem(name: string): string | undefined {
  const stems = readWords(name).map(({ stem }) => stem);
  return stems.at(-1) === 'number' ? stems.at(-2) : stems.at(-1);
}

/** Whether a text has a word only as a verb: "lift" in "Do not lift anything heavy". */
export function saysOnlyAsVerb(text: string, stem: string): boolean {
  const said = readWords(text).filter((word) => word.stem === stem);
  return (
    said.length > 0 &&
    said.every(
      ({ start, end }) =>
        // "not refunded" says of a refund that there is none.
        !/ed$/i.test(text.slice(start, end)) && beforeVerb.test(text.slice(Math.max(0, start - 12), start)),
    )
  );
}
