/** Reads the arguments and options that are numbers. Each function throws InvalidArgumentError, which says what it expected. */
import { InvalidArgumentError } from 'commander';
import { invitationLimits } from '../../../protocol/index.ts';

/** How many days an invitation is valid. */
export function readInvitationDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= invitationLimits.days) return days;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${invitationLimits.days}.`);
}

/** How many days searches are kept, such as 30 or 30d. */
export function readRetentionDays(text: string): number {
  if (!/^\d{1,5}d?$/.test(text)) throw new InvalidArgumentError('Expected a whole number of days, such as 30 or 30d.');
  return Number.parseInt(text, 10);
}

/** A whole number of at least 1. */
export function readCount(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return number;
}

/** A version of a design, by number or name. */
export function readVersion(text: string): number | 'newest' | 'draft' {
  return text === 'newest' || text === 'draft' ? text : readVersionNumber(text);
}

/** A published version of a design, such as 2 or v2. */
export function readVersionNumber(text: string): number {
  if (/^v?\d+$/.test(text)) return Number(text.replace('v', ''));
  throw new InvalidArgumentError('Expected a version number.');
}
