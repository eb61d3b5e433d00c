/** Which sources and dates a search may use. The request decides; constraints stated in its prompt can only narrow that. */
import {
  everySource,
  parseSourceRule,
  type SearchRequest,
  type SourceRules,
  sourceRules,
} from '../../../protocol/index.ts';
import { defined } from '../../base/values/defined.ts';
import type { Brief, Plan } from '../ports/model.ts';
import type { Passage } from '../ports/snapshot.ts';

/** Dates are ISO 8601, the language BCP 47. */
export interface Scope {
  readonly rules: SourceRules;
  readonly from?: string;
  readonly to?: string;
  readonly language?: string;
}

/** The brief with the plan's constraints: the later start, the earlier end, and the request's own language if it has one. */
export function narrowBrief(brief: Brief, plan: Plan): Brief {
  const from = [brief.from, plan.from]
    .filter((date) => date !== undefined)
    .sort()
    .at(-1);
  const to = [brief.to, plan.to]
    .filter((date) => date !== undefined)
    .sort()
    .at(0);
  const language = brief.language ?? plan.language;
  return {
    ...brief,
    ...defined({ from, to, language }),
  };
}

const rulesOfRequest = new WeakMap<SearchRequest, SourceRules>();

/**
 * The rules that no plan widens: those of the documents that the question names, else the request's source lists, parsed once per
 * request.
 */
export function rulesOf(request: SearchRequest, { within }: Pick<Brief, 'within'>): SourceRules {
  if (within !== undefined) return within.rules;
  if (!request.source_whitelist?.length && !request.source_blacklist?.length) return everySource;
  const known = rulesOfRequest.get(request) ?? sourceRules(request);
  rulesOfRequest.set(request, known);
  return known;
}

/**
 * The scope of a search. The plan's sources apply only if the request has no whitelist and the question names no document; what the
 * plan excludes is added.
 */
export function scopeOf(brief: Brief, request: SearchRequest, { only = [], never = [] }: Plan): Scope {
  const { from, to, language } = brief;
  const own = rulesOf(request, brief);
  const parse = (entries: readonly string[]) => entries.flatMap((entry) => parseSourceRule(entry) ?? []);
  const constrained = { only: own.only.length > 0 ? own.only : parse(only), never: [...own.never, ...parse(never)] };
  const isNarrower = constrained.only.length > own.only.length || constrained.never.length > own.never.length;
  return {
    rules: isNarrower ? constrained : own,
    ...defined({ from, to, language }),
  };
}

/** Whether a page falls into the scope's dates. Undated pages do: most have no date, and without them little would be found. */
export function isWithin({ published_at }: Pick<Passage, 'published_at'>, { from, to }: Scope): boolean {
  if (published_at === undefined) return true;
  const at = Date.parse(published_at);
  if (Number.isNaN(at)) return true;
  const dayEnd = to !== undefined && /^\d{4}-\d\d-\d\d$/.test(to) ? Date.parse(to) + 86_399_999 : Date.parse(to ?? '');
  return !(from !== undefined && at < Date.parse(from)) && !(to !== undefined && at > dayEnd);
}

/** A scope or a brief with the dates of the request alone, without those that its prompt states. */
export function withDatesOf<Dated extends { readonly from?: string; readonly to?: string }>(
  { from, to }: Pick<SearchRequest, 'from' | 'to'>,
  { from: _from, to: _to, ...rest }: Dated,
): Dated {
  return {
    ...rest,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  } as Dated;
}
