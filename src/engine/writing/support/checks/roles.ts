/**
 * Checks the actors and objects of a sentence. If both sentences share a word, such as a verb, what comes before it in the claim
 * must not come after it in the source, and the other way round, unless the voice explains it ("beat", "was beaten by") or the word
 * is turned as well ("beat", "lost to"; "larger than", "smaller than").
 */
import type { Alignment } from '../alignment.ts';
import type { Reading } from '../reading/reading.ts';
import { type Check, contradicted, type Fault } from './fault.ts';

export type Orientation = 'straight' | 'inverted' | undefined;

/** Prepositions whose words may be anywhere in a sentence; "of", "by", "to", "from" and "than" are not among them. */
const adjuncts = new Set(
  'in on at during since until after before for with without within under over throughout per near because about around despite between among via'.split(
    ' ',
  ),
);
const forms = new Set('is are was were be been being am get gets got'.split(' '));
/** Words that say the same of both of their sides: the order of the sides does not matter. */
const symmetric = new Set(
  'marri meet and or between with divorc equal differ resembl connect join link near same both adjac border separ togeth'.split(
    ' ',
  ),
);

/** Looks for parts that changed places. */
export const checkRoles: Check = (claim, source, alignment) => {
  const faults: Fault[] = [];
  // "Sold to" is "bought from": everything around it has changed places.
  if ([...alignment.matches.values()].some(({ relation }) => relation === 'converse')) return [];
  for (const [at, { at: to, relation }] of alignment.matches) {
    if (relation !== 'same' && relation !== 'wider') continue;
    const token = claim.tokens[at]!;
    if (
      symmetric.has(token.stem) ||
      isOwned(claim, at) ||
      isOwned(source, to) ||
      claim.isName[at] ||
      token.kind === 'light'
    )
      continue;
    const orientation = orientationAt(claim, source, alignment, at);
    const [passiveSaid, passiveFound] = [isPassive(claim, at), isPassive(source, to)];
    const isVoiceChanged = passiveSaid !== passiveFound;
    if (orientation === 'inverted' && !isVoiceChanged)
      faults.push(contradicted('roles', `changed places around "${token.text}"`));
    const isSameWord = token.stem === source.tokens[to]!.stem;
    if (isSameWord && !isVoiceChanged && orientation === undefined && isMoved(claim, source, alignment, at))
      faults.push(contradicted('subject', `subject of "${token.text}"`));
    if (
      orientation === 'straight' &&
      isSameWord &&
      isVoiceChanged &&
      hasAgent(passiveSaid ? claim : source, passiveSaid ? at : to)
    )
      faults.push(contradicted('voice', `voice of "${token.text}"`));
  }
  return [...faults, ...checkDirections(claim, source, alignment)];
};

/** "The army of the duke" and "the duke's army" are the same. */
function isOwned({ tokens }: Reading, at: number): boolean {
  return tokens[at + 1]?.lower === 'of' || /['’]s?$/.test(tokens[at - 1]?.text ?? '');
}

/** Whether the subject of the claim's verb is the object, or the agent, of the same verb in the source. */
function isMoved(claim: Reading, source: Reading, { matches }: Alignment, pivot: number): boolean {
  const center = matches.get(pivot)!.at;
  if (!isVerb(claim, pivot) || !isVerb(source, center)) return false;
  const core = isPassive(source, center) ? /^by$/ : /^(?:the|a|an|his|her|its|their)$/;
  let [moved, stays, others] = [0, 0, 0];
  for (const [at, { at: to }] of matches) {
    if (at === pivot || claim.tokens[at]!.kind === 'light' || claim.clauses[at] !== claim.clauses[pivot]) continue;
    if (at > pivot) others += isAdjunct(claim, at) ? 0 : 1;
    else if (to < center) stays += 1;
    else if (
      to <= center + 8 &&
      source.clauses[to] === source.clauses[center] &&
      core.test(source.tokens[center + 1]?.lower ?? '') &&
      !isAdjunct(source, to) &&
      !isAdjunct(claim, at)
    )
      moved += 1;
  }
  return moved > 0 && stays === 0 && others > 0;
}

/** Whether this may be a verb: a word with the ending of a verb in the past, or right after a subject. */
export function isVerb({ tokens }: Reading, at: number): boolean {
  if (
    /^(?:last|first|next|past|most|least|best|worst|east|west|north|south|percent|cost|costs|years|months|weeks|days|hours|minutes)$/.test(
      tokens[at]!.lower,
    )
  )
    return false;
  const before = tokens[at - 1]?.lower ?? '';
  // "Plays the …", but not "buses were": a plural is not a verb.
  const { lower } = tokens[at]!;
  const isPlural =
    /[^s]s$/.test(lower) &&
    !/^(?:the|a|an|his|her|its|their|it|them|him|with|without|to|all|no|some|that)$/.test(tokens[at + 1]?.lower ?? '');
  return (
    !isPlural &&
    (/(?:ed|s|t|ght|ew|ook|old|ade|ound)$/.test(lower) || inN.test(lower)) &&
    !/^(?:the|a|an|his|her|its|their|of|in|on|at|for|with|by|to)$/.test(before)
  );
}

/** Past forms in -n; most other words with this ending are nouns, such as "town" and "station". */
const inN =
  /^(?:be|over|with|under|for|mis|re|un|out)?(?:began|begun|been|beaten|bitten|blown|born|borne|broken|chosen|done|drawn|driven|eaten|fallen|flown|forgotten|frozen|given|gone|grown|hewn|hidden|known|mown|proven|ran|ridden|risen|run|seen|sewn|shaken|shown|sown|spoken|spun|stolen|stricken|sunken|sworn|taken|thrown|torn|woken|won|worn|woven|written|bidden|gotten|swollen|trodden|laden|slain|lain)$/;

/** Pairs of prepositions that cannot both hold for the same word. */
const clashes = new Set([
  'from to',
  'from into',
  'with without',
  'before after',
  'above below',
  'over under',
  'into from',
]);

/** "From the Baltic" is not "to the Baltic". */
function checkDirections(claim: Reading, source: Reading, { matches }: Alignment): Fault[] {
  for (const [at, { at: to, relation }] of matches) {
    if (relation !== 'same' || claim.tokens[at]!.kind === 'light') continue;
    const [one, other] = [prepositionOf(claim, at), prepositionOf(source, to)];
    if (clashes.has(`${one} ${other}`) || clashes.has(`${other} ${one}`))
      return [contradicted('direction', `${one} / ${other} ${claim.tokens[at]!.text}`)];
  }
  return [];
}

/** The preposition of the phrase that a word is in; "of" is passed over. */
function prepositionOf({ tokens }: Reading, at: number): string | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 5); index -= 1) {
    const { lower, kind, isCapital } = tokens[index]!;
    if (lower === 'of') continue;
    if (directed.has(lower) && tokens[index - 1]?.lower === 'or') return undefined;
    if (directed.has(lower)) return /ing$/.test(tokens[index + 1]?.lower ?? '') ? undefined : lower;
    if (
      kind === 'mark' ||
      adjuncts.has(lower) ||
      (kind !== 'function' && !isCapital && tokens[index + 1]?.lower !== 'of' && index < at - 2)
    )
      return undefined;
  }
  return undefined;
}

const directed = new Set('from to into with without before after above below over under'.split(' '));

/** Whether what surrounds a matched word has changed places; undefined if that cannot be said. */
export function orientationAt(claim: Reading, source: Reading, { matches }: Alignment, pivot: number): Orientation {
  const center = matches.get(pivot)!.at;
  let [leftStays, rightStays, leftGoes, rightGoes] = [0, 0, 0, 0];
  for (const [at, { at: to, relation }] of matches) {
    if (at === pivot || relation === 'rival' || claim.tokens[at]!.kind === 'light') continue;
    // Only what depends on this word: not what belongs to another clause.
    if (
      Math.abs(claim.clauses[at]! - claim.clauses[pivot]!) > 0 ||
      Math.abs(source.clauses[to]! - source.clauses[center]!) > 0
    )
      continue;
    if (isAdjunct(claim, at) || isAdjunct(source, to)) continue;
    if (at < pivot) to < center ? (leftStays += 1) : (leftGoes += 1);
    else to > center ? (rightStays += 1) : (rightGoes += 1);
  }
  if (leftGoes > 0 && rightGoes > 0 && leftStays + rightStays < leftGoes + rightGoes) return 'inverted';
  return leftStays > 0 && rightStays > 0 && leftGoes + rightGoes === 0 ? 'straight' : undefined;
}

function isAdjunct({ tokens }: Reading, at: number): boolean {
  for (let index = at - 1; index >= Math.max(0, at - 4); index -= 1) {
    const { lower, kind } = tokens[index]!;
    if (adjuncts.has(lower)) return true;
    if (kind === 'mark' || ['of', 'by', 'to', 'from', 'than'].includes(lower)) return false;
  }
  return false;
}

/** "was beaten", "written by". */
export function isPassive({ tokens }: Reading, at: number): boolean {
  if (!/(?:ed|en|n|t|ght|ung|un|ade|aid|old|ound|ead|eld|id|ut|et|own|it)$/.test(tokens[at]!.lower)) return false;
  if (tokens[at + 1]?.lower === 'by') return true;
  for (let index = at - 1; index >= Math.max(0, at - 4); index -= 1) {
    const { lower, kind } = tokens[index]!;
    if (forms.has(lower)) return true;
    if (kind !== 'function' && kind !== 'light' && !lower.endsWith('ly')) return false;
  }
  return false;
}

function hasAgent({ tokens, clauses }: Reading, at: number): boolean {
  return tokens.some(({ lower }, index) => lower === 'by' && index > at && clauses[index] === clauses[at]);
}
