/** Every change that makes a true sentence false: its page then no longer says it, or says the opposite. */
import { asFact, certain, done, unconditional } from './certainty-changes.ts';
import type { Change } from './change.ts';
import { otherMonth, otherNumber, otherNumberWord, otherUnit } from './figure-changes.ts';
import { affirmed, antonym, negated } from './polarity-changes.ts';
import { exchangedCause, exchangedComparison, exchangedRoles, otherName, otherSubject } from './role-changes.ts';
import { invented, onlyAdded, widened } from './scope-changes.ts';

/** In the order in which they are tried. */
export const falseChanges: readonly Change[] = [
  otherNumber,
  otherNumberWord,
  otherUnit,
  otherMonth,
  otherName,
  otherSubject,
  exchangedRoles,
  negated,
  affirmed,
  antonym,
  certain,
  done,
  unconditional,
  asFact,
  exchangedCause,
  exchangedComparison,
  widened,
  onlyAdded,
  invented,
];
