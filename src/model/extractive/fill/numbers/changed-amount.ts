/** Amounts that have taken the place of others: "was raised from 120 € to 132 €". */
import type { Span } from '../../text/values.ts';

/** A verb and at most seven words before "from 120 €". */
const changesFrom =
  /(?<!\p{L})(?:rais(?:es?|ed|ing)|ris(?:es?|en|ing)|rose|increas(?:es?|ed|ing)|gr(?:ew|own)|reduc(?:es?|ed|ing)|lower(?:s|ed|ing)|cut|falls?|fell|fallen|drop(?:s|ped)?|decreas(?:es?|ed|ing)|chang(?:es?|ed|ing)|(?:goes|go|went|gone) (?:up|down)|steig(?:t|en)|stieg(?:en)?|gestiegen|erhöht|sink(?:t|en)|sank|gesunken|gesenkt|fiel|geändert|ändert|passé|augment\p{L}*|baiss\p{L}*|sube|subió|baja|bajó|pasó)(?: [\p{L}\p{N}]+){0,7}? (?:from|von|vom|de|du|desde|van)\s+[€$£]?\s?$/iu;
const changesTo = /^(?:\s(?:an?|per|pro|par|por)\s\p{L}+)?\s+(?:to|auf|à|a|hasta)\s+[€$£]?\s?$/u;
/** Where both hold, each for some: "rises with age from 5 € to 9 €", "from 10 °C to 25 °C during the day". */
const dependsOn =
  /(?<!\p{L})(?:depend\p{L}*|with|by|according|between|during|daily|while|tides?|is open|and is|je nach|mit|abhängig|während|täglich|tagsüber|selon|suivant|avec|pendant|según|con|durante)(?!\p{L})/iu;

/** Whether the second of two numbers of a text takes the place of the first. */
export function isChange(text: string, from: Pick<Span, 'start' | 'end'>, to: Pick<Span, 'start' | 'end'>): boolean {
  if (!changesTo.test(text.slice(from.end, to.start))) return false;
  const before = text
    .slice(Math.max(0, from.start - 120), from.start)
    .split(/[.;!?]\s/)
    .at(-1)!;
  const after = text.slice(to.end, to.end + 60).split(/[.;!?](?:\s|$)/)[0]!;
  return changesFrom.test(before) && !dependsOn.test(before) && !dependsOn.test(after);
}
