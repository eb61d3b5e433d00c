/**
 * A structured answer: the template's shape, filled leaf by leaf. Every value has its leaf's type or is `null`; anything else that
 * a model returns becomes `null` with evidence `not_found`, unless the application fixes the value. Containers are set before what
 * is in them: the log's patches, applied in order to {}, yield the result.
 */
import {
  applyPatch,
  type LeafEvidence,
  type OutputFormat,
  pointer,
  pointerKeys,
  type SearchEvent,
  type StructuredObject,
  type StructuredValue,
  type TemplateNode,
  type TextResult,
  templateLeaves,
  valueAt,
} from '../../../protocol/index.ts';
import { counted } from '../../base/text/counted.ts';
import {
  allowedValue,
  createPatternMatcher,
  describeAllowed,
  type PatternMatcher,
} from '../../base/values/allowed-values.ts';
import { maxRows } from '../../base/values/max-rows.ts';
import type { Leaf, LeafValue } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { SearchContext } from '../search-context.ts';
import { createLeafSupport } from './leaf-support.ts';
import { childNode, fits, gaps, missingParents, ordered, set, templateKeys } from './template-shape.ts';

/** A structured answer. */
export interface Filled {
  /** Exactly the template's shape, fields in the template's order. */
  readonly output: StructuredObject;
  /** One entry per leaf, in the order in which they were filled. */
  readonly evidence: LeafEvidence[];
  readonly status: TextResult['status'];
}

/** The write stage of a structured answer. Leaves that no model fills are `null`. */
export async function* fillTemplate(
  { brief, job, fallback, state, signal }: SearchContext,
  evidence: readonly Evidence[],
  template: OutputFormat,
): AsyncGenerator<SearchEvent, Filled> {
  const leaves = templateLeaves(template).map((leaf): Leaf => {
    const allowed = job.allowed?.[leaf.path];
    return allowed === undefined ? leaf : { ...leaf, allowed };
  });
  const matches = await createPatternMatcher(leaves.map(({ allowed }) => allowed));
  const leafAt = new Map(leaves.map((leaf) => [leaf.path, leaf]));
  const support = createLeafSupport(evidence, state);
  const output: StructuredObject = {};
  const leafEvidence: LeafEvidence[] = [];
  /** Of the leaves that the evidence says nothing about, but whose value is fixed. */
  const fixed = new Set<LeafEvidence>();
  let isCut = false;

  /** Whether a leaf may be set: it is not set yet, and none of its rows lies beyond the longest list allowed. */
  function isFree(keys: readonly string[]): boolean {
    if (valueAt(output, keys) !== undefined) return false;
    let node: TemplateNode | undefined = template;
    return keys.every((key, at) => {
      const list = Array.isArray(node) ? pointer(templateKeys(template, keys.slice(0, at))) : undefined;
      node = childNode(node, key);
      if (list === undefined) return true;
      return /^\d{1,3}$/.test(key) && Number(key) < Math.min(maxRows, job.allowed?.[list]?.maxItems ?? maxRows);
    });
  }

  /** Whether a leaf belongs to a row after the last one of a full list. */
  function isBeyond(keys: readonly string[]): boolean {
    return keys.some((key, at) => {
      const list = at === 0 ? undefined : valueAt(output, keys.slice(0, at));
      return Array.isArray(list) && list.length === maxRows && Number(key) >= maxRows;
    });
  }

  function* complete(value: LeafValue): Generator<SearchEvent> {
    const { leaf: given, citation } = support(value);
    const keys = pointerKeys(value.path);
    const only = given.value === null ? fixedValue(leafAt.get(pointer(templateKeys(template, keys)))) : undefined;
    const leaf = only === undefined ? given : { path: given.path, value: only, confidence: 1 };
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
    leafEvidence.push(held);
    if (only !== undefined) fixed.add(held);
    yield { type: 'field.completed', value: leaf.value, ...held };
  }

  /** The next element of a list of texts or numbers. Elements that the evidence does not support are left out. */
  function* append(value: LeafValue): Generator<SearchEvent> {
    const isElement = /\/\d{1,3}$/.test(value.path) && value.value !== null;
    const element = isElement ? support(value).leaf.value : null;
    if (element === null) return;
    const keys = pointerKeys(value.path).slice(0, -1);
    const held = valueAt(output, keys) as StructuredValue[] | undefined;
    const list = job.allowed?.[pointer(templateKeys(template, keys))];
    if (list?.isUnique === true && held?.includes(element)) return;
    const path = pointer([...keys, held?.length ?? 0]);
    if (isFree(pointerKeys(path))) yield* complete({ ...value, path });
    else isCut ||= isBeyond(pointerKeys(path));
  }

  /** What the sources were to say. */
  function asked(): LeafEvidence[] {
    return leafEvidence.filter((leaf) => !fixed.has(leaf));
  }

  let isBroken = false;
  yield* state.step(
    { kind: 'write', title: 'Filling the template' },
    (async function* () {
      for await (const event of fillLeaves()) yield event;
      if (isCut) {
        const message = `Lists have at most ${maxRows} elements; the sources have more than that.`;
        yield { type: 'warning', code: 'list_cut', message };
      }
      for (const gap of gaps(template, output, [])) {
        if (gap.blank === null) yield* complete({ path: pointer(gap.keys), value: null, confidence: 0 });
        else {
          const op = set(gap.keys, gap.blank);
          applyPatch(output, op);
          yield { type: 'result.patch', ops: [op] };
          if (Array.isArray(gap.blank)) {
            leafEvidence.push({ path: pointer(gap.keys), status: 'not_found', citations: [], confidence: 0 });
          }
        }
      }
      return {
        value: undefined,
        summary: `${supported(asked())} of ${counted(asked().length, 'value')} found`,
      };
    })(),
  );

  /** With the model first. If it fails, the fallback fills what is still missing, but adds no rows to lists that were started. */
  async function* fillLeaves(): AsyncGenerator<SearchEvent, void> {
    let wanted: readonly Leaf[] = leaves;
    for (const model of fallback.models('writing')) {
      try {
        for await (const leaf of model.fill(brief, wanted, evidence, fallback.contextFor(model, 'writing'))) {
          signal.throwIfAborted();
          const { path } = leaf;
          const place = pointer(templateKeys(template, pointerKeys(path)));
          const wanted = leafAt.get(place);
          if (wanted === undefined) continue;
          const value = fitted(leaf, wanted, matches);
          if (place.endsWith('/-')) yield* append(value);
          else if (isFree(pointerKeys(path))) yield* complete(value);
          else isCut ||= isBeyond(pointerKeys(path));
        }
        return;
      } catch (error) {
        const warning = fallback.recordFailure(model, 'Filling the template', error);
        if (warning !== undefined) yield warning;
        isBroken ||= leafEvidence.length > 0;
        wanted = leaves.filter(({ path }) => !/\/-(?:\/|$)/.test(path) || leafEvidence.length === 0);
      }
    }
  }

  const found = supported(asked());
  const status = found === 0 ? 'not_found' : found === asked().length && !isBroken ? 'answered' : 'partial';
  return { output: ordered(template, output) as StructuredObject, evidence: leafEvidence, status };
}

function supported(evidence: readonly LeafEvidence[]): number {
  return evidence.filter((leaf) => leaf.status !== 'not_found').length;
}

/** The value as its field takes it: null if it has another type, or if the field does not allow it. */
function fitted(leaf: LeafValue, { type, allowed }: Leaf, matches: PatternMatcher): LeafValue {
  if (!fits(leaf.value, type)) return unfit(leaf, 'The value has the wrong type for this field.');
  const value = allowedValue(leaf.value!, allowed, matches);
  return value === undefined ? unfit(leaf, `The value is not ${describeAllowed(allowed!)}.`) : { ...leaf, value };
}

/** The value of a leaf that may be nothing else; undefined if the sources say what it is. */
function fixedValue(leaf: Leaf | undefined): string | number | boolean | undefined {
  const [only = null] = leaf?.allowed?.isFixed === true ? (leaf.allowed.values ?? []) : [];
  return leaf !== undefined && fits(only, leaf.type) ? only! : undefined;
}

function unfit({ path, value, reason }: LeafValue, fault: string): LeafValue {
  const why = reason ?? (value === null ? undefined : fault);
  return { path, value: null, confidence: 0, ...(why === undefined ? {} : { reason: why }) };
}
