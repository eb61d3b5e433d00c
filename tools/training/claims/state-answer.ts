/**
 * Turns a question and its answer into a statement: "When did the abbey close?", "1807" becomes "The abbey closed in 1807.". Questions are
 * other people's words for what a page says, so that the statements are paraphrases nobody wrote for this purpose. It needs
 * to know which words are verbs: those that the pages have after "to", "will" or "could". Returns undefined where the form is unknown.
 */

/** For each lower-case word, how often it is a verb in its base form: 0 to 1. */
export type Verbs = ReadonlyMap<string, number>;

/** Counts which words follow "to", "will" and the like in some texts. */
export function countVerbs(texts: readonly string[]): Verbs {
  const counts = new Map<string, { all: number; verb: number }>();
  for (const text of texts) {
    const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
    for (const [at, word] of words.entries()) {
      const count = counts.get(word) ?? { all: 0, verb: 0 };
      count.all += 1;
      if (/^(?:to|will|would|can|could|may|might|must|should|did|not)$/.test(words[at - 1] ?? '')) count.verb += 1;
      counts.set(word, count);
    }
  }
  return new Map([...counts].flatMap(([word, { all, verb }]) => (verb >= 2 ? [[word, verb / all] as const] : [])));
}

const auxiliary = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)$/;
const determiner =
  /^(?:the|a|an|its|his|her|their|this|that|these|those|each|of|in|on|at|for|from|with|and|by|most|more|as|'s)$/;
const particle = /^(?:up|out|off|down|over|back|away|on|into|with|to|from|for|at|in|of|by|about|as|against|through)$/;
const irregularPast: Readonly<Record<string, string>> = {
  become: 'became',
  begin: 'began',
  build: 'built',
  buy: 'bought',
  choose: 'chose',
  come: 'came',
  do: 'did',
  draw: 'drew',
  fall: 'fell',
  feel: 'felt',
  fight: 'fought',
  find: 'found',
  get: 'got',
  give: 'gave',
  go: 'went',
  grow: 'grew',
  have: 'had',
  hear: 'heard',
  hold: 'held',
  keep: 'kept',
  know: 'knew',
  lead: 'led',
  leave: 'left',
  lose: 'lost',
  make: 'made',
  mean: 'meant',
  meet: 'met',
  pay: 'paid',
  put: 'put',
  rise: 'rose',
  run: 'ran',
  say: 'said',
  see: 'saw',
  sell: 'sold',
  send: 'sent',
  set: 'set',
  sing: 'sang',
  speak: 'spoke',
  spend: 'spent',
  stand: 'stood',
  take: 'took',
  teach: 'taught',
  tell: 'told',
  think: 'thought',
  throw: 'threw',
  wear: 'wore',
  win: 'won',
  write: 'wrote',
  break: 'broke',
  bring: 'brought',
  drive: 'drove',
  fly: 'flew',
  eat: 'ate',
  hit: 'hit',
  cut: 'cut',
  let: 'let',
  read: 'read',
  seek: 'sought',
  split: 'split',
  hurt: 'hurt',
};
const participles =
  /^(?:born|built|made|held|known|found|used|called|named|written|given|taken|won|lost|sold|seen|said|done|sent|set|led|kept|met|begun|broken|chosen|drawn|driven|fought|shown|spent|thought|thrown|brought|bought|paid|put|sung|hit|cut|worn|grown|told|taught|spoken|left|struck|torn|become)$/;

/** The statement that a question and its answer make. */
export function stateAnswer(asked: string, answer: string, verbs: Verbs): string | undefined {
  const question = asked
    .trim()
    .replace(/\s*\?+$/, '')
    .replace(/\s+/g, ' ');
  if (question.includes('?') || answer.length > 120 || question.length > 200) return undefined;
  const said = answer.trim().replace(/[.,;]$/, '');
  const words = question.split(' ');
  const at = words.findIndex((word) => /^(?:who|whom|whose|what|which|when|where|how|why)$/i.test(word));
  if (at === -1 || /^(?:yes|no)$/i.test(said)) return undefined;
  // "By 2013, which city had …": what comes before is an adjunct; "in what year" has its preposition.
  const lead = words.slice(0, at);
  const preposition = at === 1 || (at > 1 && /,$/.test(words[at - 2]!)) ? lead.at(-1)!.toLowerCase() : '';
  const isPreposition = /^(?:in|on|at|by|to|from|for|with|of|under|during|as|into|through|until|about)$/.test(
    preposition,
  );
  const adjunct = (isPreposition ? lead.slice(0, -1) : lead).join(' ');
  const isLead = adjunct === '' || adjunct.endsWith(',');
  if (!isLead) return inPlace(words, at, said);
  const rest = words.slice(at);
  const stated = isPreposition ? stateAdjunct(rest, `${preposition} ${said}`, verbs) : stateRest(rest, said, verbs);
  if (stated === undefined) return undefined;
  const text = adjunct === '' ? stated : `${adjunct} ${stated}`;
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** "Dogs are treated as what rather than companions": the answer goes where the question word is. */
function inPlace(words: readonly string[], at: number, said: string): string | undefined {
  const kind = /^(?:what|which)$/i.test(words[at]!) ? nounPhraseEnd(words, at + 1) : at + 1;
  if (kind < words.length && auxiliary.test(words[kind]!)) return undefined;
  const isEnd = at >= words.length - 4;
  return isEnd && !/^(?:when|how|why|where)$/i.test(words[at]!)
    ? `${[...words.slice(0, at), said, ...words.slice(kind)].join(' ')}.`
    : undefined;
}

function stateRest(rest: readonly string[], said: string, verbs: Verbs): string | undefined {
  const word = rest[0]!.toLowerCase();
  if (word === 'when') return stateAdjunct(rest, timed(said), verbs);
  if (word === 'where') return stateAdjunct(rest, startsWithPreposition(said) ? said : `in ${said}`, verbs);
  if (word === 'why')
    return stateAdjunct(rest, /^(?:because|to|due|for|as|since)\b/i.test(said) ? said : `because ${said}`, verbs);
  if (word === 'whose') return undefined;
  if (word === 'how') {
    const next = rest[1]?.toLowerCase() ?? '';
    if (next === 'many' || next === 'much') {
      const end = nounPhraseEnd(rest, 2);
      const nouns = rest.slice(2, end).join(' ');
      const counted =
        nouns === '' || said.toLowerCase().includes(nouns.toLowerCase()) || /[a-z]{3,}$/.test(said)
          ? said
          : `${said} ${nouns}`;
      return stateArgument(rest, end, counted, verbs);
    }
    if (/^(?:long|far|old|tall|high|large|big|often|fast|deep|wide)$/.test(next))
      return stateAdjunct(rest.slice(1), said, verbs);
    return /^(?:by|through|via|with|in)\b/i.test(said) ? stateAdjunct(rest, said, verbs) : undefined;
  }
  if (word === 'who' || word === 'whom') return stateArgument(rest, 1, said, verbs);
  const end = nounPhraseEnd(rest, 1);
  const noun = rest[end - 1]?.toLowerCase() ?? '';
  const isTime =
    end > 1 &&
    /^(?:year|date|day|month|century|decade|season)$/.test(noun) &&
    auxiliary.test(rest[end]?.toLowerCase() ?? '');
  if (isTime) return stateAdjunct(rest.slice(end - 1), timed(said), verbs);
  const nouns = rest
    .slice(1, end)
    .join(' ')
    .replace(/^(?:type|kind|sort|name) of /i, '');
  const isNamed = nouns === '' || said.toLowerCase().includes(noun) || said.split(' ').length > 3;
  return stateArgument(rest, end, isNamed ? said : named(said, nouns), verbs);
}

/** "the city Paris", "38 goals": the noun says what the answer is. */
function named(said: string, nouns: string): string {
  if (/^\d/.test(said)) return said;
  return /^[A-Z]/.test(said) && /^[a-z]/.test(nouns) && !/s$/.test(nouns) ? `the ${nouns} ${said}` : said;
}

/** The index after the nouns that follow "which": up to an auxiliary or a verb. */
function nounPhraseEnd(words: readonly string[], from: number): number {
  let at = from;
  const isEnd = () =>
    auxiliary.test(words[at]!.toLowerCase()) ||
    isFiniteVerb(words, at) ||
    /^(?:the|an?|his|her|its|their)$/.test(words[at + 1] ?? '');
  while (at < words.length && at < from + 6 && !(at > from && isEnd()) && !auxiliary.test(words[at]!.toLowerCase()))
    at += 1;
  return at === from + 6 ? words.length : at;
}

/** Whether this is a verb in the past or the third person that can follow the nouns of a question. */
function isFiniteVerb(words: readonly string[], at: number): boolean {
  const word = words[at]!.toLowerCase();
  return (
    at > 1 &&
    word === words[at] &&
    !determiner.test(words[at - 1]!.toLowerCase()) &&
    (/^[a-z]{2,}ed$/.test(word) ||
      Object.values(irregularPast).includes(word) ||
      /^(?:became|wrote|won|makes|gives|allows|uses|takes|lies)$/.test(word))
  );
}

/** The answer is the subject or the object. */
function stateArgument(rest: readonly string[], end: number, said: string, verbs: Verbs): string | undefined {
  const aux = rest[end]?.toLowerCase();
  if (aux === undefined) return undefined;
  if (!auxiliary.test(aux)) return `${said} ${rest.slice(end).join(' ')}`;
  const after = rest.slice(end + 1);
  if (/^(?:is|are|was|were)$/.test(aux)) {
    const verb = participleAt(after);
    // "Who was elected in …" and "who was the king of …": the answer is the subject.
    if (verb === 0 || (verb === 1 && after[0] === 'not')) return `${said} ${aux} ${after.join(' ')}`;
    if (
      /^(?:a|an|also|not|part|one|the|considered|responsible|able)$/.test(after[0]?.toLowerCase() ?? '') ||
      after.length < 3 ||
      verb === -1
    ) {
      const isNominal = /^(?:the|its|his|her|their)$/i.test(after[0] ?? '') || /^[A-Z]/.test(after[0] ?? '');
      return isNominal && verb === -1
        ? `${after.join(' ')} ${aux} ${said}`
        : verb === -1
          ? `${said} ${aux} ${after.join(' ')}`
          : object(after, verb);
    }
    return object(after, verb);
  }
  const verb = baseAt(after, verbs);
  if (verb === undefined) return undefined;
  if (verb === 0 && /^(?:can|could|will|would|may|must|has|have|had|should|might)$/.test(aux))
    return `${said} ${aux} ${after.join(' ')}`;
  if (verb === 0) return undefined;
  const subject = after.slice(0, verb).join(' ');
  const to =
    particle.test(after[verb + 1] ?? '') &&
    (after.length === verb + 2 || determiner.test(after[verb + 2] ?? '') === false) &&
    after.length <= verb + 2
      ? verb + 2
      : verb + 1;
  return [subject, inflect(aux, after[verb]!), ...after.slice(verb + 1, to), said, ...after.slice(to)].join(' ');

  function object(words: readonly string[], at: number): string {
    const behind = particle.test(words[at + 1] ?? '') && words.length === at + 2 ? at + 2 : at + 1;
    return [...words.slice(0, at), aux, ...words.slice(at, behind), said, ...words.slice(behind)].join(' ');
  }
}

/** The answer is a time, a place or a way: it goes to the end. */
function stateAdjunct(rest: readonly string[], said: string, verbs: Verbs): string | undefined {
  const end = rest.findIndex((word, at) => at > 0 && auxiliary.test(word.toLowerCase()));
  if (end === -1 || end > 5) return undefined;
  const aux = rest[end]!.toLowerCase();
  const after = rest.slice(end + 1);
  const verb = /^(?:is|are|was|were)$/.test(aux) ? participleAt(after) : baseAt(after, verbs);
  if (verb === undefined || verb === 0) return undefined;
  if (verb === -1) return after.length < 2 ? undefined : `${after.join(' ')} ${aux} ${said}`;
  const middle = /^(?:is|are|was|were)$/.test(aux) ? [aux, after[verb]!] : [inflect(aux, after[verb]!)];
  return [...after.slice(0, verb), ...middle, ...after.slice(verb + 1), said].join(' ');
}

/** Where the participle of a passive is; -1 if there is none. */
function participleAt(words: readonly string[]): number {
  return words.findIndex(
    (word, at) =>
      word === word.toLowerCase() &&
      (/^[a-z]{2,}ed$/.test(word) || participles.test(word)) &&
      !determiner.test(words[at - 1]?.toLowerCase() ?? '') &&
      !/^(?:during|king|ring|thing|string|wing|spring|morning|evening|building|being|following)$/.test(word),
  );
}

/** Where the verb that belongs to "did" or "can" is. */
function baseAt(words: readonly string[], verbs: Verbs): number | undefined {
  let best: { at: number; score: number } | undefined;
  for (const [at, word] of words.slice(0, 14).entries()) {
    if (word !== word.toLowerCase() || determiner.test(words[at - 1]?.toLowerCase() ?? '')) continue;
    const score = (verbs.get(word) ?? 0) - 0.02 * at;
    if (score > 0.12 && (best === undefined || score > best.score + 0.15)) best = { at, score };
  }
  return best?.at;
}

function inflect(aux: string, verb: string): string {
  if (aux === 'do') return verb;
  if (aux === 'does')
    return /(?:s|x|sh|ch|o)$/.test(verb)
      ? `${verb}es`
      : /[^aeiou]y$/.test(verb)
        ? `${verb.slice(0, -1)}ies`
        : `${verb}s`;
  if (aux !== 'did') return `${aux} ${verb}`;
  const listed = irregularPast[verb];
  if (listed !== undefined) return listed;
  if (/e$/.test(verb)) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return /^(?:stop|plan|drop|ban|refer|occur|permit|star|control|step|grab|rob|shop|tap|trap|commit|admit)$/.test(verb)
    ? `${verb}${verb.at(-1)!}ed`
    : `${verb}ed`;
}

function timed(said: string): string {
  if (
    startsWithPreposition(said) ||
    /^(?:after|before|when|while|every|around|about|early|late|last|the day)/i.test(said)
  )
    return said;
  return /\b\d{1,2}(?:st|nd|rd|th)?,? (?:\d{4})$|^[A-Z][a-z]+ \d{1,2}\b|^\d{1,2} [A-Z]/.test(said)
    ? `on ${said}`
    : `in ${said}`;
}

function startsWithPreposition(said: string): boolean {
  return /^(?:in|on|at|by|from|to|since|until|during|near|between|under|over|above|inside|outside|along|across|within|throughout|behind|after|before|around|through)\b/i.test(
    said,
  );
}
