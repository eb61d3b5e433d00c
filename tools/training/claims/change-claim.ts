/**
 * Changes what a true sentence says, so that its page no longer says it, or says the opposite: another number, date or name, a
 * negation, exchanged roles, an opposite word, and a hedge, condition or speaker that is left out. And says the same in other
 * words, where that is certain: shorter, with a date in another form, or in the other voice. Each change returns every claim that it can make.
 */
import { readFileSync } from 'node:fs';
import type { Random } from '../../../bench/support/random.ts';

export interface Changed {
  /** As in bench/questions/claims. */
  readonly way: string;
  readonly claim: string;
}

/** A change of one sentence; the texts of the same article supply other values. */
export type Change = (sentence: string, around: Around, random: Random) => Changed[];

/** What may be put in the place of something. */
export interface Around {
  /** Names of the page and of its article that the sentence does not have. */
  readonly names: readonly string[];
  /** Other sentences of the page. */
  readonly sentences: readonly string[];
  /** Verbs in the past, as they are written in the article. */
  readonly verbs: readonly string[];
}

const months = 'January February March April May June July August September October November December'.split(' ');
/** A name of one to four words; the first word of a sentence is not taken for one unless it is followed by another. */
const nameRun = /(?:\p{Lu}[\p{L}'’.-]*\p{L}(?: (?:of the|of|de|van|von) (?=\p{Lu}))? ?){1,5}/gu;

/** The names in a text that are not only the first word of a sentence. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(nameRun)].flatMap(({ 0: found, index }) => {
    const name = found.trim();
    const isFirst = index === 0 || /[.!?]["”]? $/.test(text.slice(0, index));
    if (isFirst && !name.includes(' ')) return [];
    return months.includes(name) || /^(?:I|The|In|It|He|She|A|An|As|At|On|After|When|This)\b/.test(name) ? [] : [name];
  });
}

function once(way: string, sentence: string, claim: string | undefined): Changed[] {
  return claim === undefined || claim === sentence ? [] : [{ way, claim: tidy(claim) }];
}

function tidy(claim: string): string {
  const text = claim
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;])/g, '$1')
    .replace(/,(?=[,.])/g, '')
    .trim()
    .replace(/[,;:]$/, '');
  const end = /[.!?]$/.test(text) ? text : `${text}.`;
  return `${end[0]!.toUpperCase()}${end.slice(1)}`;
}

function replaceAt(text: string, at: number, length: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + length);
}

/** Another number; years move by a few. */
const otherNumber: Change = (sentence, _, random) =>
  [...sentence.matchAll(/(?<![\p{L}\d.,])\d[\d,]*(?:\.\d+)?(?![\p{L}\d])/gu)].flatMap(({ 0: written, index }) => {
    const value = Number(written.replaceAll(',', ''));
    const isYear = /^1\d{3}$|^20\d\d$/.test(written);
    const factor = [0.1, 0.5, 0.9, 1.1, 2, 10][Math.floor(random() * 6)]!;
    const other = isYear
      ? value + [-20, -3, -1, 1, 2, 10][Math.floor(random() * 6)]!
      : Math.max(1, Math.round(value * factor)) + (value * factor < 40 ? 1 : 0);
    if (other === value) return [];
    const shown = written.includes(',') ? other.toLocaleString('en-US') : String(other);
    return once(isYear ? 'date' : 'number', sentence, replaceAt(sentence, index, written.length, shown));
  });

const smallWords = 'two three four five six seven eight nine ten twelve twenty'.split(' ');
const otherNumberWord: Change = (sentence, _, random) =>
  [...sentence.matchAll(/\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b/g)].flatMap(
    ({ 0: written, index }) => {
      const other = smallWords[Math.floor(random() * smallWords.length)]!;
      return once('number', sentence, replaceAt(sentence, index, written.length, other));
    },
  );

const exchanged: Readonly<Record<string, string>> = {
  million: 'billion',
  billion: 'million',
  thousand: 'million',
  percent: 'million',
  hundred: 'thousand',
  metres: 'kilometres',
  kilometres: 'metres',
  miles: 'metres',
  feet: 'miles',
  km: 'm',
  weeks: 'months',
  months: 'years',
  years: 'months',
  days: 'weeks',
  hours: 'days',
  minutes: 'hours',
  dollars: 'euros',
};
const otherUnit: Change = (sentence) =>
  [
    ...sentence.matchAll(
      /(?<=\d ?(?:\([^)]*\) )?)\b(?:million|billion|thousand|percent|hundred|metres|kilometres|miles|feet|km|weeks|months|years|days|hours|minutes|dollars)\b/g,
    ),
  ].flatMap(({ 0: written, index }) =>
    once('unit', sentence, replaceAt(sentence, index, written.length, exchanged[written]!)),
  );

const otherMonth: Change = (sentence, _, random) =>
  [
    ...sentence.matchAll(
      new RegExp(`\\b(?:${months.join('|')})\\b(?= \\d)|(?<=\\d )\\b(?:${months.join('|')})\\b`, 'g'),
    ),
  ].flatMap(({ 0: written, index }) => {
    const other = months[(months.indexOf(written) + 1 + Math.floor(random() * 10)) % 12]!;
    return once('date', sentence, replaceAt(sentence, index, written.length, other));
  });

/** A name of the same page or article in the place of one. */
const otherName: Change = (sentence, { names }, random) => {
  const own = namesIn(sentence);
  const others = names.filter((name) => !own.some((known) => shareWord(known, name)));
  if (others.length === 0) return [];
  return own.flatMap((name) => {
    const other = others[Math.floor(random() * others.length)]!;
    return Math.abs(other.split(' ').length - name.split(' ').length) > 1
      ? []
      : once('name', sentence, sentence.replace(name, other));
  });
};

function shareWord(one: string, other: string): boolean {
  const words = new Set(one.toLowerCase().split(/[ -]/));
  return other
    .toLowerCase()
    .split(/[ -]/)
    .some((word) => words.has(word) || [...words].some((own) => own.slice(0, 4) === word.slice(0, 4)));
}

const subject =
  /^((?:The |A |An )?(?:[\p{L}\d'’-]+ ){1,4}?)(?=(?:is|was|are|were|has|had|have|did|does|can|could|will|would|may|must|won|wrote|became|made|took|gave|led|began|[a-z]{3,}ed) )/u;

/** What another sentence of the page speaks of, as if this sentence spoke of it. */
const otherSubject: Change = (sentence, { sentences }, random) => {
  const own = subject.exec(sentence)?.[1];
  if (own === undefined || !isNominal(own)) return [];
  const others = sentences.flatMap((other) => {
    const found = subject.exec(other)?.[1];
    return found === undefined || !isNominal(found) || shareWord(found.trim(), own.trim()) ? [] : [found];
  });
  const other = others[Math.floor(random() * others.length)];
  return other === undefined ? [] : once('subject', sentence, other + sentence.slice(own.length));
};

function isNominal(phrase: string): boolean {
  return !/^(?:It|He|She|They|This|These|That|There|In|On|At|As|By|For|While|When|After|Before|Since|If|What|Which|Who|Some|Many|Most|All|Both|Such|Also|But|And|His|Her|Its|Their|One|To|From|With|Although|Despite|During)\b/.test(
    phrase,
  );
}

/** Two names or noun phrases around a verb in each other's place. */
const exchangedRoles: Change = (sentence) => {
  const found: Changed[] = [];
  const names = [...sentence.matchAll(nameRun)].flatMap(({ 0: found, index }) => {
    // The first word of a sentence has a capital, too.
    const first =
      /^(?:The|A|An|In|With|While|When|After|Before|On|At|As|By|It|He|She|They|This|These|That|Next|If|For|From|To|Their|His|Her|Its|Early|But|And|Both|Some|Many|Most|All|Of|Building|One|Also)\b ?/.exec(
        found,
      )?.[0] ?? '';
    const name = found.slice(first.length).trim();
    return name === '' ? [] : [{ name, index: index + first.length }];
  });
  for (const [at, one] of names.slice(0, -1).entries()) {
    const other = names[at + 1]!;
    const between = sentence.slice(one.index + one.name.length, other.index);
    // Something must be said between them, and they are not a list.
    if (
      !/[a-z]{3,}/.test(between) ||
      /^(?:,? and|,? or|,)/.test(between.trim()) ||
      /[,;]/.test(between) ||
      shareWord(one.name, other.name)
    )
      continue;
    if (/^\s*\(|-$|"/.test(between)) continue;
    if (
      !/\b(?:\w+ed|by|from|to|than|won|beat|wrote|sold|gave|led|made|became|took|over|after|before|is the|was the|succeed\w*|follow\w*)\b/.test(
        between,
      )
    )
      continue;
    if (/\b(?:with|met|married|between|near)\b/.test(between)) continue;
    const text =
      sentence.slice(0, one.index) + other.name + between + one.name + sentence.slice(other.index + other.name.length);
    found.push(...once('role', sentence, text));
  }
  const passive = /^(.{3,60}?) (was|were|is|are) (\w+(?:ed|en|wn|lt|nt|ld|de)) by (.{3,60}?)([.,].*)?$/.exec(sentence);
  if (passive !== null) {
    const [, one, be, verb, other, end] = passive;
    found.push(...once('role', sentence, `${other} ${be} ${verb} by ${one}${end ?? ''}`));
    // "A was founded by B" as "A founded B".
    if (verb!.endsWith('ed') && be!.startsWith('w'))
      found.push(...once('role', sentence, `${one} ${verb} ${other}${end ?? ''}`));
  }
  return found;
};

const negatable =
  /\b(is|are|was|were|has|had|have|can|could|will|would|may|might|must|should)\b(?! (?:not|no|never|also not)\b)/g;
const negated: Change = (sentence, _, random) => {
  const found = [...sentence.matchAll(negatable)]
    .slice(0, 2)
    .flatMap(({ 0: word, index }) =>
      once(
        'negation',
        sentence,
        replaceAt(sentence, index, word.length, `${word} ${random() < 0.8 ? 'not' : 'never'}`),
      ),
    );
  const past = /\b([a-z]{3,}(?:ted|ned|led|red|ged|ked|sed|ied|ced|ved))\b(?! (?:by|in the|as|to be))/.exec(sentence);
  const before = past === null ? '' : sentence.slice(0, past.index);
  if (
    past !== null &&
    /\b[\p{L}]+ $/u.test(before) &&
    !/\b(?:is|are|was|were|be|been|being|has|have|had|the|a|an|of|and|by|not|never|also|it|which|who) $/i.test(
      before,
    ) &&
    before.split(' ').length < 8
  )
    found.push(...once('negation', sentence, replaceAt(sentence, past.index, 0, 'never ')));
  return found;
};

/** What is negated, said as if it were not. */
const affirmed: Change = (sentence) => {
  const not =
    /\b(?:did not|does not|do not|(?<=\b(?:is|are|was|were|can|could|will|would|had|has|have|should|must|may) )not|(?<=can)not|never)\b ?/.exec(
      sentence,
    );
  if (not === null || /^not (?:only|just|until)/.test(sentence.slice(not.index))) return [];
  return once('negation', sentence, replaceAt(sentence, not.index, not[0].length, ''));
};

const opposites = readOpposites();
const antonym: Change = (sentence) =>
  [...sentence.matchAll(/\b[a-z]{3,}\b/g)].flatMap(({ 0: word, index }) => {
    const others = opposites.get(word) ?? [];
    return others
      .slice(0, 1)
      .flatMap((other) => once('antonym', sentence, replaceAt(sentence, index, word.length, other)));
  });

/** Pairs of whole words: those of the hand-written list and their regular past. */
function readOpposites(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const put = (one: string, other: string) => found.set(one, [...(found.get(one) ?? []), other]);
  const text = readFileSync(
    new URL('../../../src/engine/writing/support/reading/relations-by-hand.txt', import.meta.url),
    'utf8',
  );
  const extra =
    'accepted rejected;won lost;increased decreased;rose fell;largest smallest;first last;more less;higher lower;north south;east west;northern southern;eastern western;before after;early late;began ended;opened closed;best worst;oldest youngest;longest shortest;highest lowest;most least;major minor;male female;public private;old new;indoor outdoor;positive negative;supported opposed;included excluded;allowed banned;majority minority;success failure;above below;rural urban;many few;successful unsuccessful;increase decrease;gained lost;bought sold;arrived left;legal illegal;strong weak;rich poor;inside outside;win lose;always never;with without;good bad;cold hot;dry wet;summer winter;upper lower;inner outer;left right;same different;common rare;larger smaller;better worse;greater lesser;faster slower;married divorced;domestic foreign;temporary permanent;modern ancient;internal external';
  for (const line of [...extra.split(';').map((pair) => pair.replace(' ', ' <> ')), ...text.split('\n')]) {
    const pair = /^([a-z]{3,}) <> ([a-z]{3,})$/.exec(line);
    if (pair === null || /^(?:may|can|will|no|not|all|some|free)$/.test(pair[1]!)) continue;
    put(pair[1]!, pair[2]!);
    put(pair[2]!, pair[1]!);
    const past = (word: string) =>
      /e$/.test(word) ? `${word}d` : /[a-z][^aeiouyd]$/.test(word) ? `${word}ed` : undefined;
    const [one, other] = [past(pair[1]!), past(pair[2]!)];
    if (one !== undefined && other !== undefined && !found.has(one)) {
      put(one, other);
      put(other, one);
    }
  }
  return found;
}

/** A careful source, without its care. */
const certain: Change = (sentence) => {
  const verb: readonly (readonly [RegExp, string])[] = [
    [/\b(?:may|might|could) have been\b/, 'was'],
    [/\b(?:may|might|could) be\b/, 'is'],
    [/\b(?:may|might|could) have\b(?= \w+(?:ed|en)\b)/, ''],
    [/\b(?:may|might)\b(?= [a-z]+\b)/, 'does'],
    [
      /\b(?:probably|possibly|perhaps|allegedly|reportedly|supposedly|presumably|apparently|likely|potentially)\b(?! to\b)/,
      '',
    ],
    [
      /\b(?:seems?|appears?|seemed|appeared|is believed|is thought|was believed|was thought|is said|is likely|are likely|are believed|are thought|was said|is rumou?red|is estimated|is assumed) to have been\b/,
      'was',
    ],
    [
      /\b(?:seems?|appears?|seemed|appeared|is believed|is thought|was believed|was thought|is said|is likely|was said|is rumou?red|is assumed) to be\b/,
      'is',
    ],
    [
      /\b(?:it is|it was|is) (?:believed|thought|said|rumou?red|possible|assumed|suggested|speculated|claimed) that\b/i,
      '',
    ],
  ];
  return verb.flatMap(([pattern, by]) => {
    const hit = pattern.exec(sentence);
    return hit === null ? [] : once('hedge', sentence, replaceAt(sentence, hit.index, hit[0].length, by));
  });
};

/** What is planned, as done. */
const done: Change = (sentence) => {
  const hit =
    /\b(?:(?:is|are|was|were) (?:planned|expected|scheduled|proposed|intended|due|set|predicted|supposed) to be|will be|would be)\b(?= \w+(?:ed|en|lt)\b)/.exec(
      sentence,
    );
  if (hit !== null) return once('plan', sentence, replaceAt(sentence, hit.index, hit[0].length, 'was'));
  const to =
    /\b(?:plan(?:s|ned)?|intend(?:s|ed)?|hope[sd]?|aim(?:s|ed)?|propose[sd]?|want(?:s|ed)?|agreed|promised|threatened|attempted|tried|sought|failed|refused|declined) to ([a-z]{3,})\b/.exec(
      sentence,
    );
  return to === null
    ? []
    : once(
        /^(?:fail|refus|declin)/.test(to[0]) ? 'negation' : 'plan',
        sentence,
        replaceAt(sentence, to.index, to[0].length, pastOf(to[1]!)),
      );
};

function pastOf(verb: string): string {
  const listed: Readonly<Record<string, string>> = {
    make: 'made',
    take: 'took',
    give: 'gave',
    get: 'got',
    become: 'became',
    build: 'built',
    find: 'found',
    keep: 'kept',
    leave: 'left',
    buy: 'bought',
    sell: 'sold',
    send: 'sent',
    bring: 'brought',
    begin: 'began',
    write: 'wrote',
    win: 'won',
    run: 'ran',
    hold: 'held',
    meet: 'met',
    pay: 'paid',
    see: 'saw',
    have: 'had',
    go: 'went',
  };
  return (
    listed[verb] ??
    (verb.endsWith('e') ? `${verb}d` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`)
  );
}

/** The main clause without its condition. */
const unconditional: Change = (sentence) => {
  const cues =
    '(?:if|unless|provided that|except (?:for|when|if|in)|only if|only when|as long as|in case|except|whenever|other than|in the absence of)';
  const after = new RegExp(`^(.{20,}?),? \\b${cues} [^,;]{6,}([.]|, .*)$`).exec(sentence);
  if (after !== null) return once('condition', sentence, after[1]);
  const before = /^(?:If|Unless|Provided that|As long as|Only if|Whenever) [^,;]{6,}, (?:then )?(.{20,})$/.exec(
    sentence,
  );
  return before === null ? [] : once('condition', sentence, before[1]);
};

/** What somebody says, as if it were so. */
const asFact: Change = (sentence) => {
  const that =
    /^(.{2,80}?) (?:argue[sd]?|claim(?:s|ed)?|believe[sd]?|thinks?|thought|insist(?:s|ed)?|contend(?:s|ed)?|assert(?:s|ed)?|maintain(?:s|ed)?|allege[sd]?|complain(?:s|ed)?|fear(?:s|ed)?|suspect(?:s|ed)?|predict(?:s|ed)?|speculate[sd]?|suggest(?:s|ed)?|felt|feels?|hope[sd]?|worried|denie[sd]|deny|doubt(?:s|ed)?|propose[sd]?|warn(?:s|ed)?|imagine[sd]?|criticized|said|says|stated|declared) (?:\w+ )?that (.{20,})$/.exec(
      sentence,
    );
  const found = that === null ? [] : once('opinion', sentence, that[2]);
  const said =
    /^["“](.{20,}?),?["”],? (?:said|says|argued|claimed|wrote|according to) /.exec(sentence) ??
    /^According to ([A-Z][^,]{3,60}), (.{20,})$/.exec(sentence);
  return [...found, ...once('opinion', sentence, said === null ? undefined : (said[2] ?? said[1]))];
};

const linkWords =
  /^(.{15,120}?),? (because|because of|due to|as a result of|led to|caused|resulted in|which led to|owing to|before|after|following|prior to) (.{12,120}?)([.;].*)?$/;
const exchangedCause: Change = (sentence) => {
  const found = linkWords.exec(sentence);
  if (found === null) return [];
  const [, one, link, other] = found;
  if (
    /^\d|^(?:he|she|it|they|being|the (?:age|turn|end)|which|that|leaving|[a-z]+ing\b)/.test(other!) ||
    /,/.test(one! + other!)
  )
    return [];
  const isOrder = /before|after|following|prior/.test(link!);
  return once(isOrder ? 'order' : 'cause', sentence, `${other} ${link} ${lowerFirst(one!)}`);
};

function lowerFirst(text: string): string {
  return /^(?:The|A|An|It|He|She|They|This|In|On|As|His|Her|Its|Their|Some|Many|Most)\b/.test(text)
    ? `${text[0]!.toLowerCase()}${text.slice(1)}`
    : text;
}

/** "A … than B" with both in each other's place, or the other degree. */
const exchangedComparison: Change = (sentence) => {
  const degree: Readonly<Record<string, string>> = {
    more: 'less',
    less: 'more',
    larger: 'smaller',
    smaller: 'larger',
    higher: 'lower',
    lower: 'higher',
    greater: 'smaller',
    older: 'younger',
    longer: 'shorter',
    fewer: 'more',
    better: 'worse',
    earlier: 'later',
    later: 'earlier',
    faster: 'slower',
    over: 'under',
    exceeded: 'fell short of',
    above: 'below',
  };
  const hit =
    /\b(more|less|larger|smaller|higher|lower|greater|older|longer|fewer|better|earlier|later|faster)\b(?=(?: \w+){0,3} than\b)/.exec(
      sentence,
    );
  const found =
    hit === null ? [] : once('comparison', sentence, replaceAt(sentence, hit.index, hit[0].length, degree[hit[0]]!));
  const both = /^(.{3,50}?) ((?:is|was|are|were|has|had|have)\b.{2,60}? than) (.{3,40}?)([.,].*)?$/.exec(sentence);
  if (both !== null && !/\d|^(?:it|he|she|they|there)\b/i.test(both[3]! + both[1]!))
    found.push(...once('comparison', sentence, `${both[3]} ${both[2]} ${lowerFirst(both[1]!)}${both[4] ?? ''}`));
  return found;
};

/** All of some, only, and the largest for one of the largest. */
const widened: Change = (sentence) => {
  const patterns: readonly (readonly [RegExp, string, string])[] = [
    [/\b(?:some|many|most|several|a few) of the\b/i, 'all of the', 'scope'],
    [/\b(?:some|many|several|a few)(?= [a-z]{3,})/i, 'all', 'scope'],
    [/\bmost(?= [a-z]+s\b)/, 'all', 'scope'],
    [/\b(?:often|usually|sometimes|generally|frequently|occasionally|typically)\b/, 'always', 'scope'],
    [/\b(?:mostly|mainly|largely|primarily|partly|partially)\b/, 'entirely', 'scope'],
    [/\bone of the (\w*est|most|largest)\b/, 'the $1', 'superlative'],
    [/\b(?:almost|nearly) all\b/, 'all', 'scope'],
    [/\bthe (?:second|third|fourth|fifth|2nd|3rd)[- ](?=(?:\w+est|most)\b)/, 'the ', 'superlative'],
    [
      /\b(is|was|are|were) (a|an) (?=large|major|popular|important|big|old|tall|famous)(\w+)\b/,
      '$1 the most $3',
      'superlative',
    ],
  ];
  return patterns.flatMap(([pattern, by, way]) =>
    once(way, sentence, pattern.test(sentence) ? sentence.replace(pattern, by) : undefined),
  );
};

const onlyAdded: Change = (sentence) => {
  const hit =
    /\b(?:is|are|was|were)\b(?= (?:[a-z]+ed|found|made|used|held|built)\b)/.exec(sentence) ??
    /(?<=[a-z] )(?:in|by|for) (?=the |[A-Z])/.exec(sentence);
  if (hit === null || /\bonly\b|\bby \d/.test(sentence)) return [];
  const at = /^(?:in|by|for) /.test(hit[0]) ? hit.index : hit.index + hit[0].length;
  return once(
    'only',
    sentence,
    `${sentence.slice(0, at)}${hit[0].endsWith(' ') ? 'only ' : ' only'}${sentence.slice(at)}`,
  );
};

/** Something that nobody said, added at the end, or another verb. */
const invented: Change = (sentence, { names, verbs }, random) => {
  const found: Changed[] = [];
  const own = namesIn(sentence);
  const strange = names.filter((name) => !own.some((known) => shareWord(known, name)));
  const name = strange[Math.floor(random() * strange.length)];
  const body = sentence.replace(/[.]$/, '');
  const extra = [
    ...(name === undefined ? [] : [` with the help of ${name}`, ` on behalf of ${name}`, ` in ${name}`]),
    ' for the first time',
    ' after a long delay',
    ' for safety reasons',
    ' to raise money',
    ' despite local protests',
    ' because of its low price',
    ' to great acclaim',
    ' without any conditions',
    ' at the expense of the state',
  ];
  if (!/\d{4}/.test(body)) extra.push(` in ${1890 + Math.floor(random() * 120)}`);
  found.push({ way: 'invented', claim: tidy(`${body}${extra[Math.floor(random() * extra.length)]}`) });
  const verb = /(?<=\b\p{L}+ )([a-z]{3,}ed)\b(?= (?:the|a|an|in|by|to|his|her|its|for|from|with|as)\b)/u.exec(sentence);
  const other = verbs[Math.floor(random() * verbs.length)];
  if (verb !== null && other !== undefined && other !== verb[0])
    found.push({ way: 'word', claim: replaceAt(sentence, verb.index, verb[0].length, other) });
  return found;
};

/** Every change that makes a true sentence false, or says more than it. */
export const falseChanges: readonly Change[] = [
  otherNumber,
  otherNumberWord,
  otherUnit,
  otherMonth,
  otherName,
  otherSubject,
  exchangedRoles,
  negated,
  affirmed,
  antonym,
  certain,
  done,
  unconditional,
  asFact,
  exchangedCause,
  exchangedComparison,
  widened,
  onlyAdded,
  invented,
];

/** Without what stands in parentheses, without a last clause that adds something, or without a first adjunct. */
const shortened: Change = (sentence) => {
  const found: Changed[] = [];
  if (/ \([^)]*\)/.test(sentence)) found.push(...once('shorter', sentence, sentence.replace(/ \([^)]*\)/g, '')));
  const tail = /^([^,]{30,}), (?:and|while|although|which|who|where|with|including|but|making|as well as) .{15,}$/.exec(
    sentence,
  );
  if (
    tail !== null &&
    !/\b(?:if|unless|may|might|could|either|not|no|said|claim\w*|belie\w+|argu\w+|between|both)\b/.test(sentence)
  )
    found.push(...once('shorter', sentence, tail[1]));
  const lead =
    /^(?:However|Moreover|In addition|Furthermore|Additionally|Also|For example|As a result|Today|Similarly|Therefore|Thus|Meanwhile), (.{20,})$/.exec(
      sentence,
    );
  if (lead !== null) found.push(...once('shorter', sentence, lead[1]));
  return found;
};

/** The same date or number in another form, or less of it. */
const otherForm: Change = (sentence) => {
  const found: Changed[] = [];
  const american = new RegExp(`\\b(${months.join('|')}) (\\d{1,2}), (\\d{4})\\b`).exec(sentence);
  if (american !== null) {
    found.push(
      ...once(
        'date',
        sentence,
        replaceAt(sentence, american.index, american[0].length, `${american[2]} ${american[1]} ${american[3]}`),
      ),
    );
    found.push(...once('date', sentence, sentence.replace(`on ${american[0]}`, `in ${american[1]} ${american[3]}`)));
  }
  const british = new RegExp(`\\b(\\d{1,2}) (${months.join('|')}) (\\d{4})\\b`).exec(sentence);
  if (british !== null) {
    found.push(
      ...once(
        'date',
        sentence,
        replaceAt(sentence, british.index, british[0].length, `${british[2]} ${british[1]}, ${british[3]}`),
      ),
    );
    found.push(...once('date', sentence, sentence.replace(`on ${british[0]}`, `in ${british[3]}`)));
  }
  const word = /\b(two|three|four|five|six|seven|eight|nine|ten)\b/.exec(sentence);
  if (word !== null)
    found.push(
      ...once(
        'number',
        sentence,
        replaceAt(sentence, word.index, word[0].length, String(smallWords.indexOf(word[0]) + 2)),
      ),
    );
  const large = /\b(\d{1,3}),000,000\b/.exec(sentence);
  if (large !== null)
    found.push(...once('number', sentence, replaceAt(sentence, large.index, large[0].length, `${large[1]} million`)));
  return found;
};

/** The other voice, where the participle is also the past. */
const otherVoice: Change = (sentence) => {
  const passive =
    /^([^,]{3,60}?) (?:was|were) ([a-z]+ed|built|made|found|won|led|held|bought|sold) by ((?:the |a |an )?[\p{L} '’-]{3,50}?)((?: (?:in|on|for|at|from|during|after) .*)?[.])$/u.exec(
      sentence,
    );
  return passive === null
    ? []
    : once('passive', sentence, `${passive[3]} ${passive[2]} ${lowerFirst(passive[1]!)}${passive[4]}`);
};

/** What a negated opposite says: "was not accepted" for "was rejected". */
const doubleNegation: Change = (sentence) => {
  const hit =
    /\b(is|are|was|were) (rejected|accepted|open|closed|included|excluded|allowed|banned|legal|illegal|successful|unsuccessful|possible|impossible|known|unknown)\b/.exec(
      sentence,
    );
  const turned: Readonly<Record<string, string>> = {
    rejected: 'not accepted',
    accepted: 'not rejected',
    open: 'not closed',
    closed: 'not open',
    included: 'not excluded',
    excluded: 'not included',
    allowed: 'not banned',
    banned: 'not allowed',
    legal: 'not illegal',
    illegal: 'not legal',
    successful: 'not unsuccessful',
    unsuccessful: 'not successful',
    possible: 'not impossible',
    impossible: 'not possible',
    known: 'not unknown',
    unknown: 'not known',
  };
  return hit === null
    ? []
    : once('antonym', sentence, replaceAt(sentence, hit.index, hit[0].length, `${hit[1]} ${turned[hit[2]!]}`));
};

/** Keeps the speaker: what a source reports may be reported. */
const reported: Change = (sentence) => {
  const that =
    /^([A-Z][\w .'’-]{2,50}?) (argued|claimed|believed|insisted|said|stated|suggested|believes|argues|claims|says) that (.{20,})$/.exec(
      sentence,
    );
  return that === null ? [] : once('opinion', sentence, `According to ${that[1]}, ${that[3]}`);
};

/** Every change that keeps a sentence true. */
export const trueChanges: readonly Change[] = [shortened, otherForm, otherVoice, doubleNegation, reported];
