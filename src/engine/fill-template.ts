/**
 * A structured answer: the template's shape, filled leaf by leaf. Every value is of its leaf's type or `null`; whatever
 * else a model gives is `null` with evidence `not_found`. Containers are set before what stands in them, so that the
 * patches of the log, applied in order to {}, give the result.
 */
import {
  applyPatch,
  type LeafEvidence,
  type LeafType,
  type OutputFormat,
  type PatchOperation,
  pointer,
  pointerKeys,
  type SearchEvent,
  type StructuredObject,
  type StructuredValue,
  type TemplateNode,
  type TextResult,
  templateLeaves,
  valueAt,
} from '../../protocol/index.ts';
import type { AnswerTask } from './answer.ts';
import { createLeafSupport } from './leaf-support.ts';
import type { Leaf, LeafValue } from './ports/model.ts';

export interface Filled {
  readonly output: StructuredObject;
  readonly evidence: LeafEvidence[];
  readonly status: TextResult['status'];
}

/** Most elements that an array of the answer gets. */
const rowLimit = 100;

export async function* fillTemplate(task: AnswerTask, template: OutputFormat): AsyncGenerator<SearchEvent, Filled> {
  const { state } = task;
  const leaves = templateLeaves(template);
  const types = new Map(leaves.map((leaf) => [leaf.path, leaf.type]));
  const support = createLeafSupport(task.evidence, state);
  const output: StructuredObject = {};
  const evidence: LeafEvidence[] = [];

  function* complete(given: LeafValue): Generator<SearchEvent> {
    const { leaf, citation } = support(given);
    const keys = pointerKeys(leaf.path);
    const ops = [...missingParents(output, template, keys), set(keys, leaf.value)];
    for (const op of ops) applyPatch(output, op);
    yield { type: 'result.patch', ops };
    if (citation !== undefined) {
      state.citations.push(citation);
      yield { type: 'citation.added', citation };
    }
    const held: LeafEvidence = {
      path: leaf.path,
      status: leaf.value === null ? 'not_found' : citation === undefined || leaf.inferred ? 'inferred' : 'found',
      citations: citation === undefined ? [] : [citation.id],
      confidence: leaf.confidence,
      ...(leaf.value === null && leaf.reason !== undefined ? { reason: leaf.reason } : {}),
    };
    evidence.push(held);
    yield { type: 'field.completed', value: leaf.value, ...held };
  }

  let broken = false;
  yield* state.step(
    { kind: 'write', title: 'Filling the template' },
    (async function* () {
      for await (const event of fillLeaves()) yield event;
      for (const gap of gaps(template, output, [])) {
        if (gap.blank === null) yield* complete({ path: pointer(gap.keys), value: null, confidence: 0 });
        else {
          const op = set(gap.keys, gap.blank);
          applyPatch(output, op);
          yield { type: 'result.patch', ops: [op] };
          if (Array.isArray(gap.blank)) {
            evidence.push({ path: pointer(gap.keys), status: 'not_found', citations: [], confidence: 0 });
          }
        }
      }
      return { value: undefined, summary: `${supported(evidence)} of ${evidence.length} values found` };
    })(),
  );

  /** With the model; where it fails, its twin gives what is still missing, but adds no rows to a list that was begun. */
  async function* fillLeaves(): AsyncGenerator<SearchEvent, void> {
    const { twins } = task;
    let wanted: readonly Leaf[] = leaves;
    for (const model of twins.models()) {
      const calls = state.usage.model_calls;
      try {
        for await (const leaf of model.fill(task.brief, wanted, task.evidence, twins.context(model, 'writing'))) {
          task.signal.throwIfAborted();
          const keys = pointerKeys(leaf.path);
          const type = types.get(pointer(templateKeys(template, keys)));
          if (type === undefined || !isNext(output, template, keys)) continue;
          yield* complete(fits(leaf.value, type) ? leaf : unfit(leaf));
        }
        if (state.usage.model_calls === calls) state.usage.model_calls += 1;
        return;
      } catch (error) {
        const warning = twins.failed(model, 'Filling the template', error);
        if (warning !== undefined) yield warning;
        broken ||= evidence.length > 0;
        wanted = leaves.filter(({ path }) => !path.includes('/-/') || evidence.length === 0);
      }
    }
  }

  const found = supported(evidence);
  const status = found === 0 ? 'not_found' : found === evidence.length && !broken ? 'answered' : 'partial';
  return { output: ordered(template, output) as StructuredObject, evidence, status };
}

function supported(evidence: readonly LeafEvidence[]): number {
  return evidence.filter((leaf) => leaf.status !== 'not_found').length;
}

function unfit({ path, value, reason }: LeafValue): LeafValue {
  const why =
    reason ?? (value === null ? undefined : 'What the model gave is not of the type that the template asks for.');
  return { path, value: null, confidence: 0, ...(why === undefined ? {} : { reason: why }) };
}

function fits(value: LeafValue['value'], type: LeafType): boolean {
  return typeof value === type && value !== '' && (type !== 'number' || Number.isFinite(value));
}

function set(keys: readonly string[], value: StructuredValue): PatchOperation {
  return { op: 'set', path: pointer(keys), value };
}

/** The template's own path of a value's path: indices become "-". */
function templateKeys(template: OutputFormat, keys: readonly string[]): string[] {
  let node: TemplateNode | undefined = template;
  return keys.map((key) => {
    const inArray = Array.isArray(node);
    node = childNode(node, key);
    return inArray ? '-' : key;
  });
}

/** Whether a leaf may be set now: not set before, and its rows are the last ones or the next. */
function isNext(output: StructuredObject, template: OutputFormat, keys: readonly string[]): boolean {
  if (valueAt(output, keys) !== undefined) return false;
  let node: TemplateNode | undefined = template;
  return keys.every((key, depth) => {
    const rows = valueAt(output, keys.slice(0, depth));
    const inArray = Array.isArray(node);
    node = childNode(node, key);
    const length = Array.isArray(rows) ? rows.length : 0;
    return !inArray || (/^\d{1,3}$/.test(key) && Number(key) <= Math.min(length, rowLimit - 1));
  });
}

function childNode(node: TemplateNode | undefined, key: string): TemplateNode | undefined {
  if (Array.isArray(node)) return node[0];
  return typeof node === 'object' && Object.hasOwn(node, key) ? node[key] : undefined;
}

/** Operations that make the containers above a leaf, outermost first. */
function missingParents(output: StructuredObject, template: OutputFormat, keys: readonly string[]): PatchOperation[] {
  const ops: PatchOperation[] = [];
  let node: TemplateNode | undefined = template;
  for (let depth = 1; depth < keys.length; depth += 1) {
    node = childNode(node, keys[depth - 1]!);
    const parent = keys.slice(0, depth);
    if (valueAt(output, parent) === undefined) ops.push(set(parent, Array.isArray(node) ? [] : {}));
  }
  return ops;
}

/** What the template has and the output has not, in the template's order; reads on as the caller fills. */
function* gaps(
  node: TemplateNode,
  value: StructuredValue | undefined,
  keys: readonly string[],
): Generator<{ keys: readonly string[]; blank: StructuredValue }> {
  if (typeof node === 'string') {
    if (value === undefined) yield { keys, blank: null };
  } else if (Array.isArray(node)) {
    if (value === undefined) yield { keys, blank: [] };
    else if (Array.isArray(value))
      for (const [row, each] of value.entries()) yield* gaps(node[0], each, [...keys, `${row}`]);
  } else {
    if (value === undefined) yield { keys, blank: {} };
    for (const [key, child] of Object.entries(node)) {
      const held = value as StructuredObject | undefined;
      yield* gaps(child, held && Object.hasOwn(held, key) ? held[key] : undefined, [...keys, key]);
    }
  }
}

/** The same values with their fields in the order in which the template names them. */
function ordered(node: TemplateNode, value: StructuredValue): StructuredValue {
  if (typeof node === 'string' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(node)) return (value as StructuredObject[]).map((row) => ordered(node[0], row) as StructuredObject);
  const held = value as StructuredObject;
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, ordered(child, held[key] ?? null)]));
}
