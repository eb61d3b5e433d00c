/** What the words around a number say of it: "more than", "up to", "at least", "about", "or more". */
import type { Token } from './read-text.ts';
import { currencies } from './units.ts';

/** What is said of a number: `about` 12, `more` than 12, at `least` 12, at `most` 12 and up to 12, `less` than 12. */
export type Bound = 'exact' | 'about' | 'more' | 'least' | 'most' | 'less';

/** Scales of which a number names a step: "below force 8". */
const scales = /^(?:force|grade|level|age|version|category|class|magnitude|stage|row|page|year)$/;

/** The bound of the number between two tokens. */
export function boundBefore(tokens: readonly Token[], from: number, to: number): Bound {
  const isInside = currencies[tokens[from - 1]?.text ?? ''] !== undefined || scales.test(tokens[from - 1]?.lower ?? '');
  const start = isInside ? from - 1 : from;
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
    /^(?:or|and) (?:less|fewer|below|under|younger|shorter|lower|lighter|smaller|earlier)|^at (?:the )?most/.test(after)
  )
    return 'most';
  if (
    /(?:no|not) (?:less|fewer|lower|smaller) than$|(?:at least|minimum of|not under)$/.test(before) ||
    /^(?:or|and) (?:more|over|older|above|longer|higher|larger|heavier|taller|later|upwards?)|^at (?:the )?least/.test(
      after,
    )
  )
    return 'least';
  if (
    /(?:more|greater|larger|longer|higher|older|bigger|heavier|faster|better|thicker|wider|deeper|taller|stronger|louder|warmer|hotter|later) than$|\b(?:over|above|exceeding|exceeds|exceeded|beyond)$/.test(
      before,
    )
  )
    return 'more';
  if (
    /(?:less|fewer|lower|smaller|shorter|younger|lighter|slower|thinner|narrower|shallower|weaker|cooler|colder|earlier) than$|\b(?:under|below|nearly|almost)$/.test(
      before,
    )
  )
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
