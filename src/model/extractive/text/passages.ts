/**
 * Evidence as the ranker reads it: units with their words and what could be an answer in them, independent of any
 * question. Passages come back from search to search, so what was read is kept, least recently used out first.
 */

import { LRUCache } from 'lru-cache';
import { initialsIn } from '../../../base/text/initials.ts';
import type { Evidence } from '../../../engine/ports/snapshot.ts';
import { plainStems, stemsOf } from '../match/term-matcher.ts';
import { type Clause, splitClauses } from './clauses.ts';
import { splitUnits, type Unit } from './sentences.ts';
import { readWords, type Word } from './words.ts';

export interface ReadUnit extends Unit {
  readonly words: readonly Word[];
  readonly stems: readonly string[];
  /** Where its text can be cut; one part, the whole, for most. */
  readonly clauses: readonly Clause[];
  readonly sectionStems: ReadonlySet<string>;
  /** The shown text leans on what stands before it: "He …", "These …". */
  readonly dependsOnContext: boolean;
}

export interface ReadPassage {
  readonly units: readonly ReadUnit[];
  readonly titleStems: readonly string[];
  readonly titleInitials: readonly string[];
  /** Of the package that a page of documentation belongs to, "undici" of "undici › Client", or of the title. */
  readonly subjectStems: ReadonlySet<string>;
  readonly headingStems: ReadonlySet<string>;
  /** It shows code, in blocks or within its sentences: documentation. */
  readonly technical: boolean;
}

/** What a worker is told of a piece of evidence. */
export type Source = Pick<Evidence, 'n' | 'snapshot' | 'start' | 'title' | 'headings' | 'text' | 'score' | 'url'>;

/** A passage longer than this is read only so far: the index cuts at about 250 words. */
const maxCharacters = 12_000;
const maxUnits = 200;
const leaning =
  /^(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|Such|The (?:former|latter|two|same)|However|Also|But|And|In addition|Moreover|Furthermore|There)\b/;

const kept = new LRUCache<string, ReadPassage>({ max: 4000 });

export function readPassage(source: Source): ReadPassage {
  const key = `${source.snapshot}:${source.start}:${source.text.length}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const read = {
    units: splitUnits(source.text.slice(0, maxCharacters)).slice(0, maxUnits).map(readUnit),
    titleStems: plainStems(readWords(source.title)),
    titleInitials: initialsIn(source.title),
    subjectStems: new Set(plainStems(readWords(source.title.replace(/ › .*/, '')))),
    headingStems: new Set(stemsIn(source.headings)),
    technical: /`[^`\n]+`|^\s*(?:```|~~~)/m.test(source.text),
  };
  kept.set(key, read);
  return read;
}

function readUnit(unit: Unit): ReadUnit {
  const words = readWords(unit.text);
  return {
    ...unit,
    words,
    stems: stemsOf(unit.text, words),
    clauses: unit.kind === 'sentence' ? splitClauses(unit.text) : [{ start: 0, end: unit.text.length }],
    sectionStems: new Set(stemsIn(unit.section)),
    dependsOnContext: leaning.test(unit.text),
  };
}

function stemsIn(text: string): string[] {
  return stemsOf(text, readWords(text));
}
