/**
 * Things that a question describes by others: "the mayor of the birthplace of the founder of Keldesk Foundry". The innermost
 * description is a question of its own; with its answer in its place, the rest is one step shorter. All rules are linear in the
 * text.
 */

/** A description within a question. */
export interface NestedDescription {
  /** As the question has it, where it begins, and the name that it starts from. */
  readonly phrase: string;
  readonly at: number;
  readonly name: string;
  /** What it asks, in a sentence. */
  readonly question: string;
  /** The word for what is looked for: "mayor". */
  readonly role: string;
}

/** Characters of a question that are looked at, and descriptions on one level; set by hand. */
const maxText = 2_000;
const maxDescriptions = 12;

const capital = String.raw`\p{Lu}[\p{L}\p{N}'’.&-]*(?<![.'’&-])(?<!['’]s)`;
const name = `(?:the )?${capital}(?: (?:(?:of|the|de|la|van|von) ){0,2}${capital}){0,5}`;
/** "the chief engineer of the Marlow Bridge". */
const ofName = new RegExp(
  String.raw`\bthe ((?:(?!of )\p{Ll}[\p{L}-]{1,20} ){0,2}?)(\p{Ll}[\p{L}-]{2,20}) of (${name})`,
  'gu',
);
/** "Ann Lee’s teacher". */
const possessive = new RegExp(String.raw`(?<!\p{L})(${name})['’]s (\p{Ll}[\p{L}-]{2,20})(?!\p{L})`, 'gu');
/** "the man who designed the Marlow Bridge". */
const clause = new RegExp(
  String.raw`\bthe ((?:\p{Ll}[\p{L}-]{1,20} )?)(\p{Ll}[\p{L}-]{2,20}) (?:who|that|which) ((?:\p{Ll}[\p{L}-]{1,20} ){1,3})(${name})`,
  'gu',
);

/** What "the city of Marlow" says of Marlow itself. */
const apposed =
  /^(?:city|town|village|hamlet|borough|parish|district|county|state|province|region|country|island|river|lake|port)$/i;
/** Other things than people that have pages of their own. */
const thing =
  /^(?:birthplace|home|hometown|seat|headquarters|capital|band|team|club|employer|label|party|currency|language|school|alma mater|airline|studio|brewery|subsidiary|predecessor|successor)$/i;
/** What is in a town, or on a river: "the town of the Marlow Bridge" is another thing. */
const located =
  /\b(?:Bridge|Viaduct|Crossing|Tower|Castle|Palace|Museum|Gallery|Theatre|Theater|Library|Church|Cathedral|Abbey|Station|Airport|Harbour|Harbor|Stadium|School|College|University|Hospital|Hotel|Prison|Dam|Lighthouse|Festival|Club|Company|Works|Foundry|Factory|Brewery|Press|Ltd|Inc|Corp|GmbH|Instruments|Optics|Shipping)$/;
const person =
  /(?:er|or|ist|ian|ect|man|woman)$|^(?:mayor|king|queen|president|chief|head|pilot|husband|wife|spouse|father|mother|son|daughter|brother|sister|parent|uncle|aunt|friend|rival|pupil|student|poet|captain|chair|coach|boss|widow|heir|patron|saint|author|monk|judge|priest|pope|bishop|coach)$/i;
const notPerson =
  /^(?:number|river|border|order|answer|letter|paper|water|chapter|centre|center|corner|quarter|tower|error|colou?r|power|summer|winter|dinner|matter|member|offer|cover|factor|sector|motor|floor|door|interior|exterior|flavou?r|harbou?r|diameter|parameter|layer|header|container|server|buffer|browser|router|adapter|filter|counter|pointer|register|weather|danger|manner|constructor|destructor|iterator|operator|selector|vector|sensor|monitor|timer|folder|handler|compiler|parser|loader|editor)$/i;
const place = /^(?:home|hometown|seat|headquarters)$/i;
/** What is asked for at the beginning: nothing further is asked of it. */
const asked =
  /^(?:(?:and|but|so) )?(?:who|whom|what|which|where|when|how (?:long|high|large|old|big|tall|deep|wide))(?:['’]s| (?:is|was|are|were))\s*$|^(?:(?:please )?(?:name|list|find|give(?: me)?|tell me)|what about|who or what (?:is|was))\s*$/i;

/** The innermost descriptions that the question goes on from; empty if it asks for nothing further. */
export function descriptionsIn(prompt: string): NestedDescription[] {
  const text = prompt.slice(0, maxText);
  const found = [
    ...[...text.matchAll(ofName)].map((match) => {
      const [phrase, before = '', role = '', of = ''] = match;
      const whole = `${before}${role}`;
      return { phrase, at: match.index, name: bare(of), role, question: ask(role, `the ${whole} of ${of}`, of) };
    }),
    ...[...text.matchAll(possessive)].map((match) => {
      const [phrase, of = '', role = ''] = match;
      return { phrase, at: match.index, name: bare(of), role, question: ask(role, `the ${role} of ${of}`, of) };
    }),
    ...[...text.matchAll(clause)].map((match) => {
      const [phrase, before = '', role = '', verbs = '', of = ''] = match;
      const who = person.test(role) ? 'Who' : `Which ${before}${role}`;
      return { phrase, at: match.index, name: bare(of), role, question: `${who} ${verbs}${of}?` };
    }),
  ];
  const distinct = found.filter(
    (description, index) => found.findIndex(({ phrase }) => phrase === description.phrase) === index,
  );
  return distinct
    .filter((description) => isDescription(description) && goesOn(text, description))
    .sort((a, b) => a.at - b.at)
    .slice(0, maxDescriptions);
}

/** The question with a name in the place of a description. */
export function replaceDescription(text: string, { phrase }: NestedDescription, value: string): string {
  return text.replaceAll(phrase, () => value);
}

function isDescription({ role, name: of }: NestedDescription): boolean {
  return isPerson(role) || thing.test(role) || (apposed.test(role) && located.test(of));
}

/** Whether something else is asked of what is described. */
function goesOn(text: string, { phrase, at }: NestedDescription): boolean {
  const before = text.slice(0, at);
  const after = text.slice(at + phrase.length).replace(/^[\s?.!,]+/, '');
  return !(asked.test(before) && after === '');
}

function ask(role: string, phrase: string, of: string): string {
  if (/^birthplace$/i.test(role)) return `Where was ${of.replace(/^the /, '')} born?`;
  if (apposed.test(role)) return `In which ${role} is ${of}?`;
  if (place.test(role)) return `Where is ${phrase}?`;
  return isPerson(role) ? `Who is ${phrase}?` : `What is ${phrase}?`;
}

/** Whether a word is for people: "mayor", "designer". */
function isPerson(role: string): boolean {
  return person.test(role) && !notPerson.test(role);
}

function bare(text: string): string {
  return text.replace(/^the /, '');
}
