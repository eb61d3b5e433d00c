/**
 * What a rejected call can do without. Complaints that name what they are about are followed; after one that names
 * nothing, the features of the call are left out one at a time.
 */
import { isContentFilter, type Rejection } from './errors.ts';
import type { FeatureName, Features } from './wire.ts';

/** One difference to the features of a call. */
export interface Change {
  readonly feature: FeatureName;
  readonly value: Features[FeatureName];
  /** Whether the endpoint's complaint named it, rather than leaving it to be guessed. */
  readonly isNamed: boolean;
}

/** Everything is assumed to be supported until the endpoint says otherwise. */
export const allFeatures: Features = {
  format: 'strict',
  system: true,
  temperature: true,
  seed: true,
  reasoning: true,
  maxTokens: true,
  streamUsage: true,
};

/** What in a complaint names a feature; the first that matches, and that the call used, is left out. */
const names: readonly (readonly [FeatureName, RegExp])[] = [
  ['maxTokens', /max_completion_tokens/],
  ['temperature', /temperature/],
  ['streamUsage', /stream_options|include_usage/],
  ['reasoning', /reasoning|thinking|\bthink\b|effort|chat_template_kwargs/],
  ['seed', /\bseed\b/],
  ['system', /(?:system|developer)[\s_]?(?:role|message|prompt|instruction)|role.{0,20}system|roles must alternate/],
  ['format', /response_?format|json|schema|strict|grammar|\bformat\b|tool_choice|\btools?\b/],
];

/** Statuses by which endpoints reject what they do not support. */
const rejections: readonly number[] = [400, 404, 413, 415, 422, 501];
/** Statuses that may be about any part of a request. */
const vague = [400, 422, 501];

/** What a call uses, of what can be left out. */
export interface Use {
  readonly features: Features;
  readonly used: ReadonlySet<FeatureName>;
  /** Most suspect first. */
  readonly optional: readonly FeatureName[];
}

/** The next thing to leave out of a rejected call; undefined if there is none. */
export function changeAfter(
  { status = 0, complaint }: Rejection,
  { features, used, optional }: Use,
): Change | undefined {
  if (!rejections.includes(status) || isContentFilter(complaint)) return undefined;
  const isLeft = (feature: FeatureName) =>
    used.has(feature) && optional.includes(feature) && canChange(feature, features);
  const named = names.find(([feature, pattern]) => isLeft(feature) && pattern.test(complaint));
  if (named !== undefined) return { feature: named[0], value: without(named[0], features), isNamed: true };
  if (!vague.includes(status)) return undefined;
  const suspect = optional.find(isLeft);
  return suspect && { feature: suspect, value: without(suspect, features), isNamed: false };
}

/** The features with this change. */
export function changed(features: Features, { feature, value }: Pick<Change, 'feature' | 'value'>): Features {
  return { ...features, [feature]: value };
}

function canChange(feature: FeatureName, features: Features): boolean {
  return features[feature] !== false && features[feature] !== 'text';
}

function without(feature: FeatureName, { format }: Features): Features[FeatureName] {
  if (feature !== 'format') return false;
  return format === 'strict' ? 'json' : 'text';
}
