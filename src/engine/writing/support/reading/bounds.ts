/** What the words around a number say of it: "more than", "up to", "at least", "about", "or more". */
import type { Token } from './read-text.ts';
import { currencies } from './units.ts';

/** What is said of a number: `about` 12, `more` than 12, at `least` 12, at `most` 12 and up to 12, `less` than 12. */
export type Bound = 'exact' | 'about' | 'more' | 'least' | 'most' | 'less';

/** The bound of the number between two tokens. */
export function boundBefore(tokens: readonly Token[], from: number, to: number): Bound {
  const start = currencies[tokens[from - 1]?.text ?? ''] === undefined ? from : from - 1;
  const before = tokens
    .slice(Math.max(0, start - 4), start)
    .map(({ lower }) => lower)
    .join(' ');
  const after = tokens
    .slice(to, to + 3)
    .map(({ lower }) => lower)
    .join(' ');
  if (
    /(?:no|not) (?:more|longer|later|greater|higher|larger) than$|(?:at most|up to|as (?:much|many|long|high|far) as|maximum of|limited to|capped at|not exceed|within)$/.test(
      before,
    ) ||
    /^or (?:less|fewer)|^at most|^or below/.test(after)
  )
    return 'most';
  if (
    /(?:no|not) (?:less|fewer|lower|smaller) than$|(?:at least|minimum of|not under)$/.test(before) ||
    /^or (?:more|over|older|above)|^at least/.test(after)
  )
    return 'least';
  if (
    /(?:more|greater|larger|longer|higher|older|bigger|heavier|faster|better) than$|\b(?:over|above|exceeding|exceeds|exceeded|beyond)$/.test(
      before,
    )
  )
    return 'more';
  if (/(?:less|fewer|lower|smaller|shorter|younger|lighter|slower) than$|\b(?:under|below|nearly|almost)$/.test(before))
    return /nearly|almost/.test(before) ? 'about' : 'less';
  if (
    /\b(?:about|around|roughly|approximately|some|circa|ca|approx|estimated|rund|etwa|environ|unos)(?: \.)?$/.test(
      before,
    ) ||
    /^or so/.test(after)
  )
    return 'about';
  return 'exact';
}
