/**
 * A model that follows the prompts of the engine, and knows nothing but what they show: it reads the sentences of the world
 * in the evidence, searches for the links of its chains that are missing, in other words each time if the prompt says what
 * was tried, takes notes where it is asked to, and writes the sentences it found. What it reaches depends on the research
 * loop alone.
 */
import { type ModelCall, questionIn, type Script } from '../../test/support/servers/model-server.ts';
import type { Chain } from './chains.ts';
import type { Question } from './question.ts';
import { questionOf, type Relation, relations } from './relations.ts';
import { readEvidence, type ShownPiece, withoutEvidence } from './shown-evidence.ts';
import type { World } from './world.ts';

/** A sentence of the evidence that says a link of a chain. */
interface Said {
  readonly sentence: string;
  readonly value: string;
  readonly piece: ShownPiece;
}

/** What a chain asks of one name. */
interface Link {
  readonly subject: string;
  readonly relation: Relation;
}

/** What the evidence says of a chain: its sentences, and the links that are missing. */
interface Progress {
  readonly said: readonly Said[];
  readonly missing: readonly Link[];
  /** Those of which the evidence has values, and may lack others. */
  readonly lists: readonly Link[];
  /** Of the last link. */
  readonly ends: readonly Said[];
}

/** Queries and parts, where the prompt does not say how many. */
const few = 3;
const maxParts = 4;
const numbers: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5, six: 6, eight: 8, ten: 10 };

interface Asked {
  readonly chains: readonly Chain[];
  readonly isList: boolean;
  /** Whether the newest value counts. */
  readonly isCurrent: boolean;
  readonly constraints: object;
  readonly text: string;
}

/** Answers about `world`; it recognises the questions by their text. */
export function createResearcher(world: World, questions: readonly Question[]): Script {
  const parts = new Map(questions.flatMap(({ chains }) => partsOf(chains).map((part) => [part.text, part] as const)));
  return (call) => {
    const asked = recognise(call, questions, parts);
    if (call.kind === 'plan') return { text: JSON.stringify(plan(call, asked)) };
    const evidence = readEvidence(call);
    const progress = asked.chains.map((chain) => follow(world, chain, evidence));
    if (call.kind === 'reflect') return { text: JSON.stringify(reflect(call, progress)) };
    if (call.kind === 'write') return { text: write(asked, progress) };
    return { text: '{}' };
  };
}

function recognise(call: ModelCall, questions: readonly Question[], parts: ReadonlyMap<string, Part>): Asked {
  const text = questionIn(call);
  const outside = withoutEvidence(call);
  const none = { from: null, to: null, language: null, only: [], never: [] };
  const plain = { isList: false, isCurrent: /\b(?:today|latest|now)\b/.test(text), constraints: none, text };
  const first = questions.find(({ previous }) => previous?.text === text);
  if (first !== undefined) return { ...plain, chains: [first.previous!.chain], isList: true };
  const known = questions.find((each) => each.text === text && outside.includes(each.previous?.text ?? text));
  const part = parts.get(text);
  if (known === undefined) return { ...plain, chains: part?.chains ?? [], isList: isList(part?.chains ?? []) };
  const constraints = { ...none, ...known.fancy, ...known.wish };
  const asked = { ...plain, isList: isList(known.chains), constraints };
  if (known.previous === undefined) return { ...asked, chains: known.chains };
  // "The second one you named": if the prompt does not show what was answered, it can only guess.
  const named = known.previous.names
    .filter((name) => outside.includes(name))
    .sort((a, b) => outside.indexOf(a) - outside.indexOf(b));
  const meant = named[1] ?? known.previous.names[0]!;
  return { ...asked, chains: known.chains.filter(({ start }) => start === meant) };
}

/** Relations that have several values. */
const listed: ReadonlySet<Relation> = new Set(['designed', 'spannedBy']);

const isList = (chains: readonly Chain[]) => chains.some(({ relations: of }) => of.some((each) => listed.has(each)));

interface Part {
  readonly text: string;
  readonly chains: readonly Chain[];
}

/** Several chains, divided among up to four questions; none for one chain. */
function partsOf(chains: readonly Chain[]): Part[] {
  if (chains.length < 2) return [];
  const size = Math.ceil(chains.length / maxParts);
  const groups = Array.from({ length: Math.ceil(chains.length / size) }, (_, at) =>
    chains.slice(at * size, (at + 1) * size),
  );
  return groups.map((group) => ({
    text: group.map(({ start, relations: of }) => questionOf(start, of)).join(' '),
    chains: group,
  }));
}

function plan(call: ModelCall, { chains, constraints, text }: Asked): object {
  const found = chains.map(({ start, relations: [first] }) => `${start} ${relations[first!].searched[0]}`);
  const queries = [...new Set(found)].slice(0, mayGive(call, 4));
  const asksForParts = withoutEvidence(call).includes('"questions"');
  const questions = asksForParts ? { questions: partsOf(chains).map((part) => part.text) } : {};
  return { queries: queries.length === 0 ? [text] : queries, ...questions, ...constraints };
}

/** How many queries the prompt allows. */
function mayGive(call: ModelCall, otherwise: number): number {
  const [, number = ''] = /(?:one|up) to (\w+) (?:short |new )*(?:search )?queries/.exec(withoutEvidence(call)) ?? [];
  return numbers[number] ?? otherwise;
}

function reflect(call: ModelCall, progress: readonly Progress[]): object {
  const outside = withoutEvidence(call);
  const tried = outside.toLowerCase();
  const untried = ({ subject, relation }: Link) =>
    relations[relation].searched
      .map((words) => `${subject} ${words}`)
      .filter((way) => !tried.includes(way.toLowerCase()))
      .slice(0, 1);
  // A list may always have one more; without a word of what was tried, the model takes what it has.
  const wasTried = ({ subject, relation }: Link) =>
    relations[relation].searched.some((words) => tried.includes(`${subject} ${words}`.toLowerCase()));
  const queries = progress.flatMap(({ missing, lists }) => [
    ...missing.flatMap(untried),
    ...lists.filter(wasTried).flatMap(untried),
  ]);
  const enough = progress.every(({ missing }) => missing.length === 0) && queries.length === 0;
  const answer = { enough, queries: [...new Set(queries)].slice(0, mayGive(call, few)) };
  return outside.includes('"notes"') ? { notes: notesOf(progress), ...answer } : answer;
}

/** What is worth keeping of the pieces that are shown whole. */
function notesOf(progress: readonly Progress[]): object[] {
  const said = progress.flatMap((each) => each.said).filter(({ piece }) => !piece.isNoted);
  const notes = new Map(said.map(({ sentence, piece }) => [`${piece.n} ${sentence}`, { sentence, piece }]));
  return [...notes.values()].map(({ sentence, piece }) => ({ evidence: piece.n, fact: sentence, quote: sentence }));
}

function write({ isList: asksForList, isCurrent }: Asked, progress: readonly Progress[]): string {
  const said = progress.flatMap((each) => inOrder(each.said, isCurrent));
  if (said.length === 0) return 'STATUS: not_found';
  const isPartial = progress.some(({ missing }) => missing.length > 0);
  const disagrees = !asksForList && progress.some(({ ends }) => new Set(ends.map(({ value }) => value)).size > 1);
  const status = isPartial ? 'partial' : disagrees ? 'conflicting' : 'answered';
  const sentences = [...new Set(said.map(({ sentence, piece }) => `${sentence} [${piece.n}]`))];
  return `STATUS: ${status}\n\n${sentences.join(' ')}`;
}

/** Newer ones first if that is asked for; what a forum says, last. */
function inOrder(said: readonly Said[], isCurrent: boolean): readonly Said[] {
  const rank = ({ piece: { kind } }: Said) => Number(/^(?:forum|blog)/.test(kind));
  const date = ({ piece: { published } }: Said) => (isCurrent ? published : '');
  return [...said].sort((a, b) => rank(a) - rank(b) || date(b).localeCompare(date(a)));
}

/** How far the evidence leads along the chain, along all values of a list, and otherwise the first. */
function follow(world: World, chain: Chain, evidence: readonly ShownPiece[]): Progress {
  const said: Said[] = [];
  const missing: Link[] = [];
  const lists: Link[] = [];
  let subjects = [chain.start];
  let ends: readonly Said[] = [];
  for (const [at, relation] of chain.relations.entries()) {
    const isLast = at === chain.relations.length - 1;
    const found = subjects.flatMap((subject) => {
      const each = read(world, subject, relation, evidence);
      if (each.length === 0) missing.push({ subject, relation });
      else if (listed.has(relation)) lists.push({ subject, relation });
      return isLast || listed.has(relation) ? each : each.slice(0, 1);
    });
    said.push(...found);
    ends = found;
    subjects = [...new Set(found.map(({ value }) => value))];
  }
  return { said, missing, lists, ends: missing.length > 0 ? [] : ends };
}

/** One sentence for each value that the evidence has. */
function read(world: World, subject: string, relation: Relation, evidence: readonly ShownPiece[]): Said[] {
  const found = new Map<string, Said>();
  for (const piece of evidence) {
    for (const { sentence, value } of world.statements(subject, relation)) {
      if (piece.text.includes(sentence) && !found.has(value)) found.set(value, { sentence, value, piece });
    }
  }
  return [...found.values()];
}
