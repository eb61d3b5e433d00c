/** A true sentence that says more: of all instead of some, of one alone, or something that nobody said. */
import { type Change, type Changed, namesIn, once, replaceAt, tidy } from './change.ts';
import { shareWord } from './role-changes.ts';

/** All of some, only, and the largest for one of the largest. */
export const widened: Change = (sentence) => {
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

/** "Only" where the sentence does not say it. */
export const onlyAdded: Change = (sentence) => {
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
export const invented: Change = (sentence, { names, verbs }, random) => {
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
