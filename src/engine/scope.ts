/**
 * Which sources and which time a search may use: what the request says stands, what its prompt asks for besides can only
 * narrow it.
 */
import {
  everySource,
  parseSourceRule,
  type SearchRequest,
  type SourceRules,
  sourceRules,
} from '../../protocol/index.ts';
import type { Brief, Plan } from './ports/model.ts';
import type { Passage } from './ports/snapshot.ts';

export interface Scope {
  readonly rules: SourceRules;
  readonly from?: string;
  readonly to?: string;
  readonly language?: string;
}

/** The later of two beginnings, the earlier of two ends; the request's own language stands. */
export function narrowed(brief: Brief, plan: Plan): Brief {
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
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(language === undefined ? {} : { language }),
  };
}

const rulesOfRequest = new WeakMap<SearchRequest, SourceRules>();

export function rulesOf(request: SearchRequest): SourceRules {
  if (!request.source_whitelist?.length && !request.source_blacklist?.length) return everySource;
  const known = rulesOfRequest.get(request) ?? sourceRules(request);
  rulesOfRequest.set(request, known);
  return known;
}

/** The request's own lists stand; what the prompt wishes besides can only narrow them. */
export function scopeOf({ from, to, language }: Brief, request: SearchRequest, { only = [], never = [] }: Plan): Scope {
  const own = rulesOf(request);
  const parse = (entries: readonly string[]) => entries.flatMap((entry) => parseSourceRule(entry) ?? []);
  const wished = { only: own.only.length > 0 ? own.only : parse(only), never: [...own.never, ...parse(never)] };
  const narrower = wished.only.length > own.only.length || wished.never.length > own.never.length;
  return {
    rules: narrower ? wished : own,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(language === undefined ? {} : { language }),
  };
}

/** A page that says no date is kept: most pages say none, and leaving all of them out would answer nothing. */
export function isWithin(passage: Passage, { from, to }: Scope): boolean {
  if (passage.published_at === undefined) return true;
  const at = Date.parse(passage.published_at);
  if (Number.isNaN(at)) return true;
  const dayEnd = to !== undefined && /^\d{4}-\d\d-\d\d$/.test(to) ? Date.parse(to) + 86_399_999 : Date.parse(to ?? '');
  return !(from !== undefined && at < Date.parse(from)) && !(to !== undefined && at > dayEnd);
}
