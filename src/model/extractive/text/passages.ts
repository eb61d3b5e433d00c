/**
 * Prepares evidence for ranking, independent of any question: units with their words and stems. The same passages come
 * back in one search after another, so prepared ones are cached.
 */

import { LRUCache } from 'lru-cache';
import { trim } from '../../../base/memory/trim.ts';
import { splitHeadings } from '../../../base/text/headings.ts';
import { initialsIn } from '../../../base/text/initials.ts';
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import type { Evidence } from '../../../engine/ports/snapshot.ts';
import { hasLifespan } from '../question/lifespan.ts';
import { type Clause, splitClauses } from './clauses.ts';
import { isEveryday } from './everyday.ts';
import { splitUnits, type Unit } from './sentences.ts';
import { type Form, type PlacedForms, plainStems, readForms } from './words.ts';

/** What is read of a unit is read when it is first asked for: of most units, only the words are. */
export class ReadUnit implements Unit {
  readonly kind: Unit['kind'];
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lines?: readonly string[];
  readonly startsLine?: boolean;
  readonly section: string;
  readonly block: number;
  readonly indent: number;
  readonly header: string;
  readonly label: string;
  readonly bullet: string;
  readonly words: readonly Form[];
  /** Of its heading, and of the column headings of a table row. */
  readonly sectionStems: ReadonlySet<string>;
  /**
   * Whether it begins with a word that may refer to what comes before it: "He …", "These …", "There …". The weights were trained with it;
   * `refersBack` is more exact.
   */
  readonly dependsOnContext: boolean;
  /** One character per offset: in a list, each number takes eight bytes. */
  readonly #starts: string;
  #initials: readonly string[] | undefined;
  #hasLifespan: boolean | undefined;
  #clauses: readonly Clause[] | undefined;
  #verb: number | undefined;

  constructor(unit: Unit, { forms, starts }: PlacedForms, sectionStems: ReadonlySet<string>) {
    this.kind = unit.kind;
    this.start = unit.start;
    this.end = unit.end;
    this.text = unit.text;
    if (unit.lines !== undefined) this.lines = unit.lines;
    if (unit.startsLine !== undefined) this.startsLine = unit.startsLine;
    this.section = unit.section;
    this.block = unit.block;
    this.indent = unit.indent;
    this.header = unit.header;
    this.label = unit.label;
    this.bullet = unit.bullet;
    this.words = forms;
    this.#starts = String.fromCharCode(...starts);
    this.sectionStems = sectionStems;
    this.dependsOnContext = dependentStart.test(unit.text);
  }

  /** Offset into `text` of the word at this index. */
  startOf(index: number): number {
    return this.#starts.charCodeAt(index);
  }

  /** Whether it is not understood without what comes before it; "There are no lifts" is. */
  get refersBack(): boolean {
    return this.dependsOnContext && !existential.test(this.text);
  }

  /** Initials of the names in it. */
  get initials(): readonly string[] {
    this.#initials ??= trim(initialsIn(this.text));
    return this.#initials;
  }

  /** Whether it says when somebody was born and died without these words: "Ada Merrow (3 May 1810 – 9 June 1849)". */
  get hasLifespan(): boolean {
    this.#hasLifespan ??= hasLifespan(this.text);
    return this.#hasLifespan;
  }

  /** The clauses of a long sentence; one, the whole, for most units. */
  get clauses(): readonly Clause[] {
    this.#clauses ??= this.kind === 'sentence' ? trim(splitClauses(this.text)) : [{ start: 0, end: this.text.length }];
    return this.#clauses;
  }

  /** Index of the verb among its first words if they may define what is before it, "Salt is …"; else -1. */
  get verb(): number {
    this.#verb ??= this.words
      .slice(0, definingWords)
      .findIndex(({ length }, at) => defining.test(this.text.slice(this.startOf(at), this.startOf(at) + length)));
    return this.#verb;
  }
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
  /** Whether it looks like a letter, a price list, rules or notes: it speaks to somebody, or has labels, lists, prices or times. */
  readonly everyday: boolean;
}

/** The part of a piece of evidence that a worker receives. */
export interface Source
  extends Pick<
    Evidence,
    'n' | 'snapshot' | 'start' | 'title' | 'headings' | 'text' | 'score' | 'url' | 'near' | 'corpusSize'
  > {
  /** Places up, by kind and date; absent is 0. */
  readonly places?: number;
}

/** Limits of what is read of a passage; set by hand, far above the 250 words at which the index splits pages. */
const maxCharacters = 12_000;
const maxUnits = 200;
const dependentStart =
  /^(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|Such|The (?:former|latter|two|same)|However|Also|But|And|In addition|Moreover|Furthermore|There)\b/;
const existential = /^There (?:is|are|was|were)\b/;

const defining = /^(?:is|are|was|were|refers?|means?|consists?|denotes?)$/;
/** Words from the beginning of a unit among which such a verb is looked for; set by hand. */
const definingWords = 9;

/**
 * By language, snapshot, offset and length of the text; `maxSize` is in characters of text, each of which takes about ten bytes. Set
 * by hand: about 3,500 passages of usual length. A fifth as many took no less memory in all, as what is made again has to be collected.
 */
const cache = new LRUCache<string, ReadPassage>({ maxSize: 4_000_000 });

/** The units and stems of a passage, English ones without a language; from the cache where possible. */
export function readPassage(source: Source, language?: StemmedLanguage): ReadPassage {
  const key = `${language ?? ''}${source.snapshot}:${source.start}:${source.text.length}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const { headings, columns } = splitHeadings(source.headings);
  const units = splitUnits(source.text.slice(0, maxCharacters), columns).slice(0, maxUnits);
  const stemsOfSection = createSectionReader(language);
  const read = {
    units: units.map((unit) => new ReadUnit(unit, readForms(unit.text, language), stemsOfSection(unit))),
    titleStems: trim(plainStems(readForms(source.title, language).forms)),
    titleInitials: trim(initialsIn(source.title)),
    subjectStems: new Set(plainStems(readForms(source.title.replace(/ › .*/, ''), language).forms)),
    headingStems: new Set(stemsIn(headings, language)),
    everyday: isEveryday(source.text),
    technical: /[`~]/.test(source.text) && /`[^`\n]+`|^[\s>]*(?:```|~~~)/m.test(source.text),
  };
  cache.set(key, read, { size: source.text.length + 1 });
  return read;
}

/** Stems of a unit's words and parts of identifiers, and initials of its names. */
export function stemsOfUnit({ words, initials }: ReadUnit): string[] {
  return [...plainStems(words), ...initials];
}

const noStems: ReadonlySet<string> = new Set();

/** Units below one heading share its stems. */
function createSectionReader(language: StemmedLanguage | undefined): (unit: Unit) => ReadonlySet<string> {
  let last = '';
  let stems = noStems;
  return ({ section, header }) => {
    const text = header === '' ? section : `${section}\n${header}`;
    if (text !== last) stems = text === '' ? noStems : new Set(stemsIn(text, language));
    last = text;
    return stems;
  };
}

function stemsIn(text: string, language: StemmedLanguage | undefined): string[] {
  return [...plainStems(readForms(text, language).forms), ...initialsIn(text)];
}
