/**
 * Cause and effect, earlier and later: "A because B" is not "B because A", and "A before B" is not "B before A". Each link is read as
 * a first part and a second one; the words of the claim must lie in the same parts.
 */
import type { Reading } from '../reading/reading.ts';
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';

type Kind = 'cause' | 'order';

interface Link {
  readonly kind: Kind;
  /** Tokens of the cause, or of what comes first, and the others. */
  readonly first: ReadonlySet<number>;
  readonly second: ReadonlySet<number>;
}

/** How a link is written: the words, and whether the first part follows them. "Weak" ones may also mean something else. */
const cues: readonly {
  readonly words: string;
  readonly kind: Kind;
  readonly firstFollows: boolean;
  readonly isWeak?: boolean;
}[] = [
  ...[
    'because of',
    'because',
    'due to',
    'owing to',
    'caused by',
    'result of',
    'thanks to',
    'on account of',
    'triggered by',
    'driven by',
    'stems from',
    'attributed to',
    'resulted from',
    'results from',
  ].map((words) => ({ words, kind: 'cause' as const, firstFollows: true })),
  ...['since', 'as', 'for'].map((words) => ({ words, kind: 'cause' as const, firstFollows: true, isWeak: true })),
  ...[
    'led to',
    'leads to',
    'caused',
    'causes',
    'resulted in',
    'results in',
    'therefore',
    'hence',
    'consequently',
    'so that',
    'reason for',
    'triggered',
    'responsible for',
    'brought about',
    'pushed',
    'which is why',
    'as a result',
    'reasons for',
  ].map((words) => ({ words, kind: 'cause' as const, firstFollows: false })),
  ...['before', 'followed by', 'earlier than', 'prior to', 'ahead of', 'and then', 'then'].map((words) => ({
    words,
    kind: 'order' as const,
    firstFollows: false,
  })),
  ...['after', 'following', 'later than', 'preceded by'].map((words) => ({
    words,
    kind: 'order' as const,
    firstFollows: true,
  })),
];

/** Compares the links between the parts of a claim and its source. */
export const checkSequence: Check = (claim, source, { matches }) => {
  const faults: Fault[] = [];
  const links = readLinks(source);
  for (const link of readLinks(claim)) {
    const others = links.filter(({ kind }) => kind === link.kind);
    let [straight, crossed] = [0, 0];
    for (const [at, { at: to, relation }] of matches) {
      if (claim.tokens[at]!.kind === 'light' || relation === 'rival') continue;
      for (const other of others) {
        if ((link.first.has(at) && other.first.has(to)) || (link.second.has(at) && other.second.has(to))) straight += 1;
        if ((link.first.has(at) && other.second.has(to)) || (link.second.has(at) && other.first.has(to))) crossed += 1;
      }
    }
    if (crossed > straight)
      faults.push(
        link.kind === 'cause' ? contradicted('cause', 'cause and effect') : contradicted('order', 'order of events'),
      );
    else if (link.kind === 'cause' && others.length === 0 && isExplicit(claim) && !hasLooseLink(source))
      faults.push(unsupported('no cause', 'the source names no cause'));
  }
  return faults;
};

const cuesByWord = new Map<string, { readonly cue: (typeof cues)[number]; readonly rest: readonly string[] }[]>();
for (const cue of cues) {
  const [word = '', ...rest] = cue.words.split(' ');
  cuesByWord.set(word, [...(cuesByWord.get(word) ?? []), { cue, rest }]);
}

function readLinks(reading: Reading): Link[] {
  const { tokens } = reading;
  const links: Link[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const found = cuesByWord
      .get(tokens[at]!.lower)
      ?.find(({ rest }) => rest.every((word, i) => tokens[at + 1 + i]?.lower === word));
    if (found === undefined) continue;
    const { kind, firstFollows, isWeak } = found.cue;
    const length = 1 + found.rest.length;
    // A weak cue opens a clause, and no figure follows: ", as fuel prices rose", not "since 1960".
    if (isWeak === true && (reading.clauses[at] === reading.clauses[at - 1] || reading.isFigure[at + 1] || at === 0))
      continue;
    if (kind === 'order' && isFigureNext(reading, at + length)) continue;
    links.push(linkAt(reading, at, length, kind, firstFollows));
    at += length - 1;
  }
  return links;
}

function isFigureNext({ isFigure, tokens }: Reading, at: number): boolean {
  return isFigure[at] === true || (isFigure[at + 1] === true && tokens[at]?.kind === 'function');
}

/** At the start of a sentence, the part after the cue ends at the next comma: "Because A, B". */
function linkAt({ tokens }: Reading, at: number, length: number, kind: Kind, firstFollows: boolean): Link {
  const from = at + length;
  const isLeading = at === 0 || (tokens[at - 1]?.kind === 'mark' && /^[.;:!?]$/.test(tokens[at - 1]!.text));
  const comma = tokens.findIndex(({ text }, index) => index >= from && text === ',');
  const stop = (start: number, step: 1 | -1) => {
    let index = start;
    while (index >= 0 && index < tokens.length && !/^[;.!?:]$/.test(tokens[index]!.text)) index += step;
    return index;
  };
  const after = new Set<number>();
  const others = new Set<number>();
  const end = isLeading && comma !== -1 ? comma : stop(from, 1);
  for (let index = from; index < end; index += 1) after.add(index);
  if (isLeading && comma !== -1) for (let index = comma + 1; index < stop(comma + 1, 1); index += 1) others.add(index);
  else for (let index = at - 1; index > stop(at - 1, -1); index -= 1) others.add(index);
  return { kind, first: firstFollows ? after : others, second: firstFollows ? others : after };
}

function isExplicit({ tokens }: Reading): boolean {
  return /\b(?:because|due to|caused|causes|resulted in|led to|result of|owing to|therefore|thanks to)\b/.test(
    tokens.map(({ lower }) => lower).join(' '),
  );
}

function hasLooseLink({ tokens }: Reading): boolean {
  return tokens.some(({ lower }) =>
    /^(?:as|since|so|for|when|after|by|through|from|hence|thus|why|reason|otherwise|if|with)$/.test(lower),
  );
}
