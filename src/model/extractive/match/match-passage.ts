/** Passages with how well their titles, headings and units match the question's terms. */

import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { mergeInto } from './coverage.ts';
import type { Matcher, Strengths } from './term-matcher.ts';

export interface MatchedUnit {
  readonly unit: ReadUnit;
  readonly own: Strengths;
  /** In the headings and the title above it. */
  readonly around: Strengths;
}

export interface MatchedPassage<Unit extends MatchedUnit = MatchedUnit> {
  readonly source: Source;
  readonly passage: ReadPassage;
  readonly head: Strengths;
  readonly whole: Strengths;
  readonly units: readonly Unit[];
}

export function matchPassage(source: Source, matcher: Matcher): MatchedPassage {
  const passage = readPassage(source);
  const head = matcher.read([...passage.titleStems, ...passage.titleInitials]);
  const headings = mergeInto(matcher.read(passage.headingStems), head);
  const units = passage.units.map((unit) => {
    const own = matcher.read(unit.stems);
    const around = unit.section === '' ? headings : mergeInto(matcher.read(unit.sectionStems), headings);
    return { unit, own, around };
  });
  const whole = headings.slice();
  for (const { own } of units) mergeInto(whole, own);
  return { source, passage, head, units, whole };
}
