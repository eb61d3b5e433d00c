/**
 * How two words are related, by the lists of relations-by-hand.txt, paraphrases.txt and word-relations.txt together; an
 * opposite wins over a common meaning. They are read when the first sentence needs them: verbatim answers never do.
 */
import { readFileSync } from 'node:fs';
import { trimLists } from '../../../../base/memory/trim.ts';
import { detach } from '../../../../base/text/detach.ts';
import { formOf, withoutNegation } from './word-forms.ts';

/**
 * `same`: either implies the other; `wider`: the second word implies the first; `opposite`: one is not the other;
 * `converse`: the same seen from the other side ("buy", "sell"); `rival`: both cannot be true of the same thing.
 */
export type Relation = 'same' | 'wider' | 'opposite' | 'converse' | 'rival';

interface Relations {
  /** By stem, the groups of words of one meaning. */
  readonly groups: Map<string, number[]>;
  /** By stem, the groups that imply this word. */
  readonly impliedBy: Map<string, number[]>;
  readonly rivals: Map<string, number[]>;
  /** "a b" in both orders. */
  readonly opposites: Set<string>;
  readonly converses: Set<string>;
  size: number;
}

let read: Relations | undefined;

/** How `said` in a claim relates to `found` in its source; both are stems. Undefined if nothing is known. */
export function relate(said: string, found: string): Relation | undefined {
  if (said === found) return 'same';
  read ??= readRelations();
  const { groups, impliedBy, rivals, opposites, converses } = read;
  const pair = `${said} ${found}`;
  if (converses.has(pair)) return 'converse';
  if (opposites.has(pair)) return 'opposite';
  if (withoutNegation(said) === found || withoutNegation(found) === said) return 'opposite';
  if (share(rivals.get(said), rivals.get(found))) return 'rival';
  if (share(groups.get(said), groups.get(found))) return 'same';
  if (share(impliedBy.get(said), groups.get(found))) return 'wider';
  return isCompound(said, found) || isCompound(found, said) ? 'same' : undefined;
}

/** "hailstone" and "hail". */
function isCompound(long: string, short: string): boolean {
  return (
    short.length >= 4 && long.length > short.length + 3 && long.startsWith(short) && isListed(long.slice(short.length))
  );
}

/** Whether any list has this stem: a word that none has may be a name. */
export function isListed(word: string): boolean {
  read ??= readRelations();
  return read.groups.has(word) || read.impliedBy.has(word);
}

/** How many meanings and wider meanings of a stem the lists have: many for a general word, none for a technical one. */
export function groupsOf(word: string): number {
  read ??= readRelations();
  return (read.groups.get(word)?.length ?? 0) + (read.impliedBy.get(word)?.length ?? 0);
}

function share(some: readonly number[] | undefined, others: readonly number[] | undefined): boolean {
  return some !== undefined && others !== undefined && some.some((group) => others.includes(group));
}

function readRelations(): Relations {
  const relations: Relations = {
    groups: new Map(),
    impliedBy: new Map(),
    rivals: new Map(),
    opposites: new Set(),
    converses: new Set(),
    size: 0,
  };
  for (const file of ['relations-by-hand.txt', 'paraphrases.txt'])
    addLines(relations, file, (word) => formOf(word).stem);
  // Already stems, because reading the file takes milliseconds of the thread that streams.
  addLines(relations, 'word-relations.txt', detach);
  for (const lists of [relations.groups, relations.impliedBy, relations.rivals]) trimLists(lists);
  return relations;
}

function addLines(relations: Relations, file: string, stemOf: (word: string) => string): void {
  for (const line of readFileSync(new URL(`./${file}`, import.meta.url), 'utf8').split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.includes(' <> ') || line.includes(' >< ')) {
      const [one = '', other = ''] = line.split(/ <> | >< /).map(stemOf);
      if (one === other) continue;
      (line.includes(' >< ') ? relations.converses : relations.opposites).add(`${one} ${other}`).add(`${other} ${one}`);
      continue;
    }
    relations.size += 1;
    const group = relations.size;
    if (line.includes(' | ')) {
      for (const word of line.split(' | ')) add(relations.rivals, stemOf(word), group);
      continue;
    }
    const [words = '', wider = ''] = line.split(' > ');
    for (const word of words.split(words.includes(' = ') ? ' = ' : ' ')) add(relations.groups, stemOf(word), group);
    for (const word of wider.split(' ')) if (word !== '') add(relations.impliedBy, stemOf(word), group);
  }
}

function add(lists: Map<string, number[]>, word: string, group: number): void {
  const list = lists.get(word);
  if (list === undefined) lists.set(word, [group]);
  else list.push(group);
}
