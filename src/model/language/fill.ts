/**
 * Structured answers: the template as a strict schema (or as text, for endpoints without strict mode), the answer read as
 * it streams in, each leaf passed on when it is complete. Leaves that are missing, or have the wrong type, are requested
 * once more; whatever is still missing after that is `null`, with the reason.
 */

import * as z from 'zod';
import { type OutputFormat, pointer, pointerKeys } from '../../../protocol/index.ts';
import {
  type AllowedByPath,
  allowedValue,
  createPatternMatcher,
  describeAllowed,
} from '../../base/values/allowed-values.ts';
import type { Brief, Leaf, LeafValue, StageContext } from '../../engine/ports/model.ts';
import type { Evidence } from '../../engine/ports/snapshot.ts';
import { type Call, type CallSchema, createCall } from '../endpoint/call.ts';
import type { EndpointClient } from '../endpoint/endpoint-client.ts';
import { ModelError } from '../model-error.ts';
import { createJsonReader, parseLoosely } from './loose-json.ts';
import { numberIn } from './number-in.ts';
import { fenceOf, prompts, showEvidence, showQuestion } from './prompts.ts';
import { coerce, leafAt, leavesIn, objectSchema, templateSchema } from './template-schema.ts';
import { createThoughtFilter, withoutThoughts } from './thoughts.ts';

/** Max. leaves that are requested a second time; set by hand. With more, the model is not up to the template. */
const maxRepairs = 40;
/** Longest answers; set by hand. */
const maxTokens = { fill: 6_000, repair: 2_000 };

const LeafAnswer = z.object({
  value: z.unknown(),
  quote: z.string().nullish().catch(null),
});

const repairSchema: CallSchema = {
  name: 'fields',
  isOurs: true,
  schema: objectSchema({
    fields: {
      type: 'array',
      items: objectSchema({
        path: { type: 'string' },
        value: { type: ['string', 'null'] },
        evidence: { type: ['integer', 'null'] },
        quote: { type: ['string', 'null'] },
      }),
    },
  }),
};

/** The leaves of `brief.template`, as they stream in. Throws a `ModelError` if the answer contains none of them. */
export async function* fillWithModel(
  client: EndpointClient,
  brief: Brief & { readonly template: OutputFormat },
  leaves: readonly Leaf[],
  evidence: readonly Evidence[],
  context: StageContext,
): AsyncGenerator<LeafValue, void> {
  const { template } = brief;
  const allowed: AllowedByPath = Object.fromEntries(
    leaves.flatMap((leaf) => (leaf.allowed === undefined ? [] : [[leaf.path, leaf.allowed]])),
  );
  const matches = await createPatternMatcher(Object.values(allowed));
  const seen = new Set<string>();
  const failing = new Map<string, string>();
  let ready: LeafValue[] = [];

  /** The leaf at these keys of the answer; undefined if there is none, if it was seen before, or if its type is wrong. */
  function readLeaf(keys: readonly string[], answer: unknown): LeafValue | undefined {
    const leaf = leafAt(template, keys);
    const path = pointer(keys);
    if (leaf === undefined || seen.has(path)) return undefined;
    const { value, evidence: n, quote } = leafAnswer(answer);
    const limits = allowed[leaf.path];
    // "none" may be one of the values.
    const isListed = limits?.values?.includes(value as string) === true;
    const coerced = isListed ? (value as string) : coerce(value, leaf.type, /year/i.test(keys.at(-1) ?? ''));
    if (coerced === undefined) {
      failing.set(path, `expected a ${leaf.type}`);
      return undefined;
    }
    if (coerced !== null && coerced !== '' && allowedValue(coerced, limits, matches) === undefined) {
      failing.set(path, 'got another value');
      return undefined;
    }
    seen.add(path);
    if (coerced === null || coerced === '') return { path, value: null, confidence: 0 };
    const words = quote?.trim() ?? '';
    return { path, value: coerced, quote: { evidence: n ?? 0, text: words }, confidence: quote ? 0.9 : 0.6 };
  }

  function readValue(given: readonly string[], value: unknown): void {
    for (const [keys, answer] of leavesIn(template, given, value)) {
      const leaf = readLeaf(keys, answer);
      if (leaf !== undefined) ready.push(leaf);
    }
  }

  async function* read(form: Call): AsyncGenerator<LeafValue, void> {
    const reader = createJsonReader(readValue);
    const thoughts = createThoughtFilter(formBegins);
    let whole = '';
    const take = (text: string) => {
      whole += text;
      reader.push(text);
    };
    for await (const piece of client.stream(form, context)) {
      take(thoughts.push(piece));
      yield* ready;
      ready = [];
    }
    take(thoughts.finish());
    reader.finish();
    if (seen.size === 0 && failing.size === 0) {
      walk(template, unwrapped(template, parseLoosely(whole)), [], readValue);
    }
    yield* ready;
    ready = [];
  }

  const fence = fenceOf(context);
  const shared = { rules: fence.rule, evidence: showEvidence(evidence, fence) };
  const question = showQuestion(brief, fence);
  const call: Call = createCall({
    ...shared,
    task: prompts.fill(brief),
    question,
    schema: { name: 'answer', schema: templateSchema(template, allowed), isOurs: false },
    maxTokens: maxTokens.fill,
  });
  yield* read(call);
  // An endpoint that ignored the schema may follow the words alone.
  if (seen.size === 0 && failing.size === 0) yield* read({ ...call, inWords: true });
  if (seen.size === 0 && failing.size === 0) throw new ModelError('it did not return JSON.');

  for (const { path } of leaves) {
    const keys = pointerKeys(path);
    if (leafAt(template, keys)?.inList === false && !seen.has(path) && !failing.has(path)) failing.set(path, 'missing');
  }
  if (failing.size === 0) return;
  if (failing.size <= maxRepairs) yield* repair();
  for (const path of failing.keys()) {
    if (!seen.has(path)) {
      yield { path, value: null, confidence: 0, reason: 'The model returned no value that the field may have.' };
    }
  }

  async function* repair(): AsyncGenerator<LeafValue, void> {
    const list = [...failing].map(([path, fault]) => {
      const { type, path: place } = leafAt(template, pointerKeys(path))!;
      const limits = allowed[place];
      return `${JSON.stringify(path)}: ${type}${limits === undefined ? '' : `, ${describeAllowed(limits)}`} (${fault})`;
    });
    const text = await client
      .complete(
        createCall({
          ...shared,
          task: prompts.repair(brief),
          question: `${question}\n\nFields:\n${list.join('\n')}`,
          schema: repairSchema,
          maxTokens: maxTokens.repair,
        }),
        context,
      )
      .catch((error) => {
        context.signal.throwIfAborted();
        if (error instanceof ModelError) return '';
        // Out of budget: missing leaves stay null.
        if ((error as Error).name === 'BudgetSpent') return '';
        throw error;
      });
    for (const [path, answer] of repairsIn(parseLoosely(withoutThoughts(text)))) {
      if (!failing.has(path)) continue;
      const leaf = readLeaf(pointerKeys(path), answer);
      if (leaf !== undefined) yield leaf;
    }
  }
}

/** Each field of a repair with its path: a list of them, in an object or alone, or, by some models, in the shape of the form. */
function* repairsIn(answer: unknown, within = '', depth = 0): Generator<readonly [path: string, answer: unknown]> {
  if (typeof answer !== 'object' || answer === null || depth >= maxDepth) return;
  const { fields = answer, path: only } = answer as { fields?: unknown; path?: unknown };
  const list = typeof only === 'string' && only.startsWith('/') ? [answer] : fields;
  if (depth === 0 && Array.isArray(list)) {
    for (const field of list) {
      const { path } = Object(field) as { path?: unknown };
      if (typeof path === 'string') yield [path.startsWith('/') ? path : `/${path}`, field];
    }
    return;
  }
  for (const [key, child] of Object.entries(depth === 0 ? Object(fields) : answer)) {
    const path = key.startsWith('/') ? key : `${within}${pointer([key])}`;
    yield [path, child];
    yield* repairsIn(child, path, depth + 1);
  }
}

/** `{value, evidence, quote}`, or the bare value that some models return instead. Either, or its value, may be a list of one. */
function leafAnswer(answer: unknown): {
  value?: unknown;
  evidence?: number | undefined;
  quote?: string | null | undefined;
} {
  const only = soleOf(answer);
  if (typeof only !== 'object' || only === null) return { value: only };
  const parsed = LeafAnswer.safeParse(only);
  if (!parsed.success) return { value: undefined };
  const { evidence } = only as { evidence?: unknown };
  return { ...parsed.data, value: soleOf(parsed.data.value), evidence: numberIn(evidence) };
}

/** The element of a list of one; null of an empty one. */
function soleOf(value: unknown): unknown {
  return Array.isArray(value) && value.length < 2 ? (value[0] ?? null) : value;
}

/** What a form begins with, after its thoughts. */
const formBegins = /^\s*(?:```\w*\s*)?[{[]/;
/** Levels of nesting; set by hand, deeper than any template. */
const maxDepth = 20;

/** The form within an answer that has more around it: `{"answer": {…}}`, or a list with the form alone. */
function unwrapped(template: OutputFormat, value: unknown): unknown {
  let inner = value;
  for (let depth = 0; depth < maxDepth && typeof inner === 'object' && inner !== null; depth += 1) {
    const keys = Object.keys(inner);
    if (keys.length !== 1 || Object.hasOwn(template, keys[0]!)) break;
    inner = (inner as Record<string, unknown>)[keys[0]!];
  }
  return inner;
}

/** Calls `onValue` with every value of an answer for which the template has leaves, in the answer's order. */
function walk(
  template: OutputFormat,
  value: unknown,
  keys: readonly string[],
  onValue: (keys: readonly string[], value: unknown) => void,
): void {
  if (leavesIn(template, keys, value).length > 0) onValue(keys, value);
  else if (keys.length < maxDepth && typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) walk(template, child, [...keys, key], onValue);
  }
}
