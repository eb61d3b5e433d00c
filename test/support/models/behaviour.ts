/**
 * A scripted model: what it says at each stage of a search, and how that comes over the wire. Which one answers a call is
 * said at the end of the question, so that many of them can work for one app at the same time.
 */
import type { Reply } from '../servers/model-reply.ts';
import { evidenceIn, type ModelCall } from '../servers/model-server.ts';
import { fillForm } from './form.ts';

/** `count` is how many calls this behaviour has had in its server, this one included. */
export type Behaviour = (call: ModelCall, count: number) => Reply;

type Stages = { readonly [Stage in Exclude<ModelCall['kind'], 'other'>]?: (call: ModelCall) => string };

/** What the model says: what a good one would, except at the `stages` given. */
export function speech(call: ModelCall, stages: Stages = {}): string {
  return call.kind === 'other' ? '' : (stages[call.kind] ?? wellBehaved[call.kind])(call);
}

/** A model that says this at these stages, and otherwise what a good one would. */
export const says =
  (stages: Stages): Behaviour =>
  (call) => ({ text: speech(call, stages) });

/** A model whose answers are these. */
export const writes = (write: (call: ModelCall) => string): Behaviour => says({ write });

const wellBehaved: Required<Stages> = {
  plan: (call) => plan(call),
  reflect: () => reflection(true),
  write: (call) => goodAnswer(call),
  fill: (call) => fillForm(call),
  repair: () => '{"fields":[]}',
  // No opinion: the verdicts of the check in code stand.
  judge: () => '{"verdicts":[]}',
  describe: () => 'The image shows the Marlow Strait Bridge, a steel cantilever bridge.',
};

/** A plan with the question, the name of the bridge and these. */
export function plan(call: ModelCall, changes: Record<string, unknown> = {}): string {
  const queries = [question(call).slice(0, 80), 'Marlow Strait Bridge'];
  return JSON.stringify({ queries, from: null, to: null, language: null, only: [], never: [], ...changes });
}

export function reflection(enough: boolean, queries: readonly string[] = []): string {
  return JSON.stringify({ enough, queries });
}

export const answered = 'STATUS: answered\n\n';
type Marker = (n: number, other: number) => string;
const plainMarker: Marker = (n) => `[${n}]`;

/** The sentences of the evidence that share most words with the question, each with a marker. */
export function goodAnswer(call: ModelCall, marker = plainMarker, count = 3): string {
  const found = bestSentences(call, count);
  const marked = found.map(({ n, text }, i) => `${text} ${marker(n, found[(i + 1) % found.length]!.n)}`);
  return `${answered}${marked.join(' ')}`;
}

interface Sentence {
  /** The number of its piece of evidence. */
  readonly n: number;
  readonly text: string;
}

function sentences(call: ModelCall): Sentence[] {
  return evidenceIn(call).flatMap(({ n, text }) =>
    text
      .split(/(?<=[.!?])\s+|(?<=。)|\n+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.length > 12 && !/^[#|]/.test(sentence))
      .map((sentence) => ({ n, text: sentence })),
  );
}

/** At most `count` different sentences, those that share most words with the question first. */
export function bestSentences(call: ModelCall, count: number): Sentence[] {
  const asked = new Set(words(question(call)).filter((word) => word.length > 3));
  const shared = ({ text }: Sentence) => words(text).filter((word) => asked.has(word)).length;
  const seen = new Set<string>();
  return sentences(call)
    .map((sentence) => ({ sentence, score: shared(sentence) }))
    .sort((a, b) => b.score - a.score || a.sentence.n - b.sentence.n)
    .map(({ sentence }) => sentence)
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, count);
}

/** Each sentence with the number of the evidence that it claims to rest on; those without such evidence are left out. */
export function claims(list: readonly (readonly [sentence: string, evidence: RegExp])[]): Behaviour {
  return writes((call) => {
    const cited = list.flatMap(([sentence, about]) => {
      const n = pieceAbout(call, about);
      return n === undefined ? [] : [`${sentence} [${n}]`];
    });
    return `${answered}${cited.join('\n\n')}`;
  });
}

/** The number of the first piece of evidence with this in it. */
export function pieceAbout(call: ModelCall, about: RegExp): number | undefined {
  return evidenceIn(call).find(({ text }) => about.test(text))?.n;
}

/** What endpoints answer that reject a request. */
export function rejection(status: number, message: string, more: { code?: string; param?: string } = {}): Reply {
  const { code = null, param = null } = more;
  return { status, body: { error: { message, type: 'invalid_request_error', param, code } } };
}

const tag = /\(behaviour ([\w-]+)\)/;

/** The question for a search that the behaviour of this name answers. */
export const tagged = (prompt: string, name: string): string => `${prompt} (behaviour ${name})`;

/** The name in a question, if there is one. */
export const tagIn = (text: string): string | undefined => tag.exec(text)?.[1];

export const untagged = (text: string): string => text.replace(tag, '').trim();

/** The question, without the name of the behaviour. */
export function question({ prompt }: ModelCall): string {
  const text = /(?:^|\n)Question:\n([\s\S]*?\(behaviour [\w-]+\)|[^\n]*)/.exec(prompt)?.[1] ?? '';
  return untagged(text);
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
