/** A true sentence without its care, plan, condition or speaker. */
import { type Change, once, replaceAt } from './change.ts';

/** A careful source, without its care. */
export const certain: Change = (sentence) => {
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
export const done: Change = (sentence) => {
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
export const unconditional: Change = (sentence) => {
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
export const asFact: Change = (sentence) => {
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
