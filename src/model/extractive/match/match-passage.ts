/** How well the title, headings and units of a passage match the question's terms. */

import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { mergeInto } from './coverage.ts';
import type { Strengths, TermMatcher } from './term-matcher.ts';

export interface MatchedUnit {
  readonly unit: ReadUnit;
  readonly own: Strengths;
  /** Strengths of the title and the headings above it. */
  readonly around: Strengths;
}

export interface MatchedPassage<Unit extends MatchedUnit = MatchedUnit> {
  readonly source: Source;
  readonly passage: ReadPassage;
  /** Strengths of the title. */
  readonly head: Strengths;
  /** Strengths of title, headings and all units together. */
  readonly whole: Strengths;
  readonly units: readonly Unit[];
}

/** Matches a passage with the question that the matcher was created for. */
export function matchPassage(source: Source, matcher: TermMatcher): MatchedPassage {
  const passage = readPassage(source, matcher.language);
  const head = matcher.read([...passage.titleStems, ...passage.titleInitials]);
  const headings = mergeInto(matcher.read(passage.headingStems), head);
  const units = passage.units.map((unit) => {
    const own = matcher.readText(unit);
    const around = unit.sectionStems.size === 0 ? headings : mergeInto(matcher.read(unit.sectionStems), headings);
    return { unit, own, around };
  });
  const whole = headings.slice();
  for (const { own } of units) mergeInto(whole, own);
  return { source, passage, head, units, whole };
}
