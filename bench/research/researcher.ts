/**
 * A model that follows the prompts of the engine, and knows nothing but what they show: it reads the sentences of the world
 * in the evidence, searches for the first link of a chain that is missing, in other words each time if the prompt says what
 * was tried, and writes the sentences it found. What it reaches depends on the research loop alone.
 */
import { evidenceIn, type ModelCall, questionIn, type Script } from '../../test/support/servers/model-server.ts';
import type { Chain, Question } from './questions.ts';
import { type Relation, relations } from './relations.ts';
import type { World } from './world.ts';

interface Piece {
  readonly n: number;
  readonly text: string;
}

/** What the evidence says of a chain: its sentences, and the link that is missing, if one is. */
interface Progress {
  readonly said: readonly { readonly sentence: string; readonly value: string; readonly n: number }[];
  readonly missing?: { readonly subject: string; readonly relation: Relation };
  /** How many values the last link has. */
  readonly values: number;
}

const maxQueries = 3;

/** Answers about `world`; it recognises the questions by their text. */
export function createResearcher(world: World, questions: readonly Question[]): Script {
  return (call) => {
    const asked = recognise(call, questions);
    if (call.kind === 'plan') return { text: JSON.stringify(plan(asked)) };
    const evidence = evidenceIn(call);
    const progress = asked.chains.map((chain) => ({ chain, ...follow(world, chain, evidence) }));
    if (call.kind === 'reflect') return { text: JSON.stringify(reflect(call, asked, progress)) };
    if (call.kind === 'write') return { text: write(asked, progress) };
    return { text: '{}' };
  };
}

interface Asked {
  readonly chains: readonly Chain[];
  readonly isList: boolean;
  readonly constraints: object;
  readonly text: string;
}

function recognise(call: ModelCall, questions: readonly Question[]): Asked {
  const text = questionIn(call);
  const outside = withoutEvidence(call);
  const none = { from: null, to: null, language: null, only: [], never: [] };
  const first = questions.find(({ previous }) => previous?.text === text);
  if (first !== undefined) return { chains: [first.previous!.chain], isList: true, constraints: none, text };
  const known = questions.find((each) => each.text === text && outside.includes(each.previous?.text ?? text));
  if (known === undefined) return { chains: [], isList: false, constraints: none, text };
  const constraints = { ...none, ...known.fancy, ...known.wish };
  const isList = known.kind === 'count';
  if (known.previous === undefined) return { chains: known.chains, isList, constraints, text };
  // "The second one you named": if the prompt does not show what was answered, it can only guess.
  const named = known.previous.names
    .filter((name) => outside.includes(name))
    .sort((a, b) => outside.indexOf(a) - outside.indexOf(b));
  const meant = named[1] ?? known.previous.names[0]!;
  return { chains: known.chains.filter(({ start }) => start === meant), isList, constraints, text };
}

function plan({ chains, constraints, text }: Asked): object {
  const queries = chains.map(({ start, relations: [first] }) => `${start} ${relations[first!].searched[0]}`);
  return { queries: queries.length === 0 ? [text] : queries, ...constraints };
}

function reflect(call: ModelCall, { isList }: Asked, progress: readonly (Progress & { chain: Chain })[]): object {
  const tried = withoutEvidence(call).toLowerCase();
  const queries = progress.flatMap(({ chain, missing, values }) => {
    const wanted = missing ?? (isList ? { subject: chain.start, relation: chain.relations.at(-1)! } : undefined);
    if (wanted === undefined) return [];
    const ways = relations[wanted.relation].searched.map((words) => `${wanted.subject} ${words}`);
    // A list may always have one more; without a word of what was tried, it takes what it has.
    if (isList && values > 0 && !ways.some((way) => tried.includes(way.toLowerCase()))) return [];
    return ways.filter((way) => !tried.includes(way.toLowerCase())).slice(0, 1);
  });
  const enough = progress.every(({ missing }) => missing === undefined) && queries.length === 0;
  return { enough, queries: queries.slice(0, maxQueries) };
}

function write({ isList }: Asked, progress: readonly Progress[]): string {
  const said = progress.flatMap((each) => each.said);
  if (said.length === 0 || (progress.length === 1 && progress[0]!.said.length === 0)) return 'STATUS: not_found';
  const isPartial = progress.some(({ missing }) => missing !== undefined);
  const disagrees = !isList && progress.some(({ values }) => values > 1);
  const status = isPartial ? 'partial' : disagrees ? 'conflicting' : 'answered';
  const sentences = [...new Set(said.map(({ sentence, n }) => `${sentence} [${n}]`))];
  return `STATUS: ${status}\n\n${sentences.join(' ')}`;
}

/** How far the evidence leads along the chain. Of several values in the middle, it follows the first. */
function follow(world: World, { start, relations: chain }: Chain, evidence: readonly Piece[]): Progress {
  const said: { sentence: string; value: string; n: number }[] = [];
  let subject = start;
  let values = 0;
  for (const [at, relation] of chain.entries()) {
    const found = read(world, subject, relation, evidence);
    if (found.length === 0) return { said, missing: { subject, relation }, values: 0 };
    values = found.length;
    said.push(...(at === chain.length - 1 ? found : found.slice(0, 1)));
    subject = found[0]!.value;
  }
  return { said, values };
}

/** One sentence for each value that the evidence has. */
function read(world: World, subject: string, relation: Relation, evidence: readonly Piece[]) {
  const found = new Map<string, { sentence: string; value: string; n: number }>();
  for (const { text, n } of evidence) {
    for (const { sentence, value } of world.statements(subject, relation)) {
      if (text.includes(sentence) && !found.has(value)) found.set(value, { sentence, value, n });
    }
  }
  return [...found.values()];
}

function withoutEvidence({ prompt }: ModelCall): string {
  return prompt.replace(/<<<\S+ evidence \[\d+\]\n[\s\S]*?\n\S+>>>/g, '');
}
