/**
 * What a sentence negates: each negation with the word that it is about, its head. "Not opened", "never held", "no deaths", "without
 * the frame", "failed to pass", "rarely". "Not only", "not until" and "no more than" negate nothing.
 */
import type { Token } from './read-text.ts';

export interface Negation {
  /** Index of the cue. */
  readonly at: number;
  /** Index of the word that is negated; undefined if the clause ends before one. */
  readonly head: number | undefined;
  /** `word` if the cue is itself a word of the sentence, such as "failed". */
  readonly by: 'particle' | 'word' | 'instead';
}

const particles = new Set(
  `not never no none nobody nothing neither nor nowhere without hardly barely scarcely rarely seldom few little noone
  nicht kein keine keinen keiner keinem keines nie niemals niemand nichts nirgends ohne ne pas jamais sans rien aucun aucune nunca jamas sin nada nadie ningun
  ninguno ninguna sem nem nao nenhum nenhuma ninguem mai senza non nessun nessuno nessuna nulla niente niet geen nooit niemand niets nergens zonder`.split(
    /\s+/,
  ),
);
/** Verbs and adjectives that say that what follows is not so. */
const words = new Set('fail refus deni lack prevent unabl declin avoid imposs'.split(' '));
/** Those whose object is denied even as a noun: "denied a release", "lacks a café". */
const skipped = new Set(
  'than of yet been be being is are was were a an the any been to have has had do does did that it there of always also even really very in by from being such'.split(
    ' ',
  ),
);

/** The negations of a sentence, in order. */
export function readNegations(tokens: readonly Token[], clauses: readonly number[]): Negation[] {
  const found: Negation[] = [];
  for (const [at, token] of tokens.entries()) {
    const isInstead =
      (token.lower === 'rather' && tokens[at + 1]?.lower === 'than') ||
      (token.lower === 'instead' && tokens[at + 1]?.lower === 'of');
    const isParticle = isInstead || (particles.has(token.lower) && !isOther(tokens, at));
    // "Voted against": the verb comes first.
    if (token.lower === 'against' && /^(?:vote|decid|rule|argu|campaign|advis)/.test(tokens[at - 1]?.stem ?? ''))
      found.push({ at, head: at - 1, by: 'particle' });
    const isWord = !isParticle && words.has(token.stem) && token.kind !== 'mark';
    if (!isParticle && !isWord) continue;
    if (
      isWord &&
      !['to', 'that', 'from', 'of'].includes(tokens[at + 1]?.lower ?? '') &&
      !['fail', 'refus', 'deni', 'lack', 'unabl'].includes(token.stem)
    )
      continue;
    found.push({
      at,
      head: headAfter(tokens, clauses, at),
      by: isInstead ? 'instead' : isParticle ? 'particle' : 'word',
    });
  }
  return found;
}

/** Whether the word stands for something other than a negation here. */
function isOther(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!;
  const next = tokens[at + 1]?.lower ?? '';
  const before = tokens[at - 1]?.lower ?? '';
  const isBound =
    ['more', 'less', 'fewer', 'later', 'longer', 'greater', 'higher', 'lower', 'larger', 'smaller', 'earlier'].includes(
      next,
    ) && tokens[at + 2]?.lower === 'than';
  if (lower === 'not')
    return (
      isBound ||
      ['only', 'just', 'until', 'exceed', 'merely', 'simply', 'necessarily'].includes(next) ||
      (next === 'all' && before !== '')
    );
  if (lower === 'no')
    return isBound || next === 'doubt' || next === '.' || next === 'matter' || (next === ',' && at < 2);
  // "Non-smokers" are not a negation of their own.
  if (lower === 'non') return next === '-';
  if (lower === 'without') return before === 'or';
  if (lower === 'nothing') return next === 'but';
  if (lower === 'few' || lower === 'little')
    return (
      before === 'a' || before === 'the' || before === 'past' || before === 'last' || /^(?:very|only)$/.test(before)
    );
  // The French "ne" negates once together with "pas".
  if (lower === 'pas' || lower === 'jamais')
    return tokens.slice(Math.max(0, at - 4), at).some((token) => token.lower === 'ne');
  if (lower === 'mai') return true;
  if (lower === 'nor' || lower === 'neither') return false;
  return lower === 'sin' && /^[a-z]+$/.test(before) && /^(?:the|of|a|original)$/.test(before);
}

function headAfter(tokens: readonly Token[], clauses: readonly number[], at: number): number | undefined {
  let isThat = false;
  for (let index = at + 1; index < Math.min(tokens.length, at + 10); index += 1) {
    const token = tokens[index]!;
    if (token.kind === 'mark' && token.text !== '"' && token.text !== '“' && token.text !== '-') return undefined;
    if (clauses[index] !== clauses[at] && !isThat && token.lower !== 'that') return undefined;
    isThat ||= token.lower === 'that';
    if (token.kind === 'function' || skipped.has(token.lower)) continue;
    return index;
  }
  return undefined;
}
