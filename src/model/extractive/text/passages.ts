/**
 * Prepares evidence for ranking, independent of any question: units with their words and stems. The same passages come
 * back in one search after another, so prepared ones are cached.
 */

import { LRUCache } from 'lru-cache';
import type { StemmedLanguage } from '../../../base/text/foreign-stemmer.ts';
import { initialsIn } from '../../../base/text/initials.ts';
import type { Evidence } from '../../../engine/ports/snapshot.ts';
import { plainStems, stemsOf } from '../match/term-matcher.ts';
import { type Clause, splitClauses } from './clauses.ts';
import { splitUnits, type Unit } from './sentences.ts';
import { readWords, type Word } from './words.ts';

export interface ReadUnit extends Unit {
  readonly words: readonly Word[];
  /** Stems of its words and parts of identifiers, and initials of its names; each once. */
  readonly stems: readonly string[];
  /** The clauses of a long sentence; one, the whole, for most units. */
  readonly clauses: readonly Clause[];
  /** Of its heading, and of the column headings of a table row. */
  readonly sectionStems: ReadonlySet<string>;
  /** Whether it begins with a reference to what comes before it: "He …", "These …". */
  readonly dependsOnContext: boolean;
  /** Index of the verb among its first words if they may define what is before it, "Salt is …"; else -1. */
  readonly verb: number;
}

export interface ReadPassage {
  readonly units: readonly ReadUnit[];
  readonly titleStems: readonly string[];
  readonly titleInitials: readonly string[];
  /** Stems of the package that a page of documentation belongs to, "undici" of "undici › Client", or of the title. */
  readonly subjectStems: ReadonlySet<string>;
  readonly headingStems: ReadonlySet<string>;
  /** Whether it has code, in blocks or within sentences, as documentation does. */
  readonly technical: boolean;
}

/** The part of a piece of evidence that a worker receives. */
export interface Source
  extends Pick<Evidence, 'n' | 'snapshot' | 'start' | 'title' | 'headings' | 'text' | 'score' | 'url'> {
  /** Places up, by kind and date; absent is 0. */
  readonly places?: number;
}

/** Limits of what is read of a passage; set by hand, far above the 250 words at which the index splits pages. */
const maxCharacters = 12_000;
const maxUnits = 200;
const dependentStart =
  /^(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|Such|The (?:former|latter|two|same)|However|Also|But|And|In addition|Moreover|Furthermore|There)\b/;

const defining = /^(?:is|are|was|were|refers?|means?|consists?|denotes?)$/;
/** Words from the beginning of a unit among which such a verb is looked for; set by hand. */
const definingWords = 9;

/** By language, snapshot, offset and length of the text. */
const cache = new LRUCache<string, ReadPassage>({ max: 4000 });

/** The units and stems of a passage, English ones without a language; from the cache where possible. */
export function readPassage(source: Source, language?: StemmedLanguage): ReadPassage {
  const key = `${language ?? ''}${source.snapshot}:${source.start}:${source.text.length}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const read = {
    units: splitUnits(source.text.slice(0, maxCharacters))
      .slice(0, maxUnits)
      .map((unit) => readUnit(unit, language)),
    titleStems: plainStems(readWords(source.title, language)),
    titleInitials: initialsIn(source.title),
    subjectStems: new Set(plainStems(readWords(source.title.replace(/ › .*/, ''), language))),
    headingStems: new Set(stemsIn(source.headings, language)),
    technical: /`[^`\n]+`|^\s*(?:```|~~~)/m.test(source.text),
  };
  cache.set(key, read);
  return read;
}

function readUnit(unit: Unit, language: StemmedLanguage | undefined): ReadUnit {
  const words = readWords(unit.text, language);
  return {
    ...unit,
    // Without room to grow and without repetitions: 6 % less memory for each prepared passage.
    words: words.slice(),
    stems: [...new Set(stemsOf(unit.text, words))],
    clauses: unit.kind === 'sentence' ? splitClauses(unit.text) : [{ start: 0, end: unit.text.length }],
    sectionStems: sectionStemsOf(unit, language),
    dependsOnContext: dependentStart.test(unit.text),
    verb: words.slice(0, definingWords).findIndex(({ start, end }) => defining.test(unit.text.slice(start, end))),
  };
}

const noStems: ReadonlySet<string> = new Set();

function sectionStemsOf({ section, header }: Unit, language: StemmedLanguage | undefined): ReadonlySet<string> {
  if (section === '' && header === '') return noStems;
  return new Set(stemsIn(header === '' ? section : `${section}\n${header}`, language));
}

function stemsIn(text: string, language: StemmedLanguage | undefined): string[] {
  return stemsOf(text, readWords(text, language));
}
