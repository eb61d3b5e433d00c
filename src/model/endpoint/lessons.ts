/**
 * What the calls of all searches have learned about an endpoint. A call acts on what it learns itself; others learn of it
 * only once it is certain that it is the endpoint and not the call: the endpoint named the feature, and the call succeeded
 * without it, or two searches found the same. Nothing that a caller sends can teach a lesson: the size of a prompt, an
 * image or the schema of a template. Every lesson is forgotten after a while, so that an endpoint may change.
 */
import { allFeatures, type Change, changed } from './features.ts';
import type { FeatureName, Features } from './wire.ts';

export type LessonName = FeatureName | 'context' | 'vision' | 'reasoning_tokens' | 'output_limit';

export interface Lessons {
  /** What the endpoint supports, as far as is known. */
  features(): Features;
  /** A call of `search` succeeded after these changes. */
  confirm(changes: readonly Change[], search: object): void;
  /** A call of `search` was rejected with about `tooLong` tokens and succeeded with `fitting`. */
  confirmContext(tooLong: number, fitting: number, search: object): void;
  /** A call of about this many tokens succeeded. */
  fits(tokens: number): void;
  /** How many tokens of a prompt are known to fit, if one of `tokens` is known not to. */
  limitFor(tokens: number): number | undefined;
  /** The length of the context, for prompt and answer together, as the endpoint has named it; infinite if it has not. */
  window(): number;
  /** The endpoint named the length of its context, and the call succeeded within it. */
  confirmWindow(tokens: number): void;
  /** False while the endpoint is known to take no images. */
  hasVision(): boolean;
  /** The endpoint refused the image of a call of `search`. With `isNamed`, it said that its model takes no images at all. */
  confirmNoVision(isNamed: boolean, search: object): void;
  /** The longest answer, in tokens, that calls may ask for. */
  outputLimit(): number;
  /** The endpoint said that answers can have at most this many tokens. */
  confirmOutputLimit(tokens: number): void;
  /** An answer needed this many tokens of reasoning. */
  reasoned(tokens: number): void;
  /** Tokens to add to the limit of an answer, so that reasoning leaves room for it. */
  reasoningTokens(): number;
}

/** Set by hand: long enough to save calls, short enough to notice an endpoint that was changed. */
const lessonMs = 10 * 60_000;
/** Answers vary: room for half as much again as was needed. Set by hand. */
const reasoningMargin = 1.5;
const maxReasoning = 16_384;

/** Nothing is known yet. `onLesson` is called whenever something is learned. */
export function createLessons(onLesson: (lesson: LessonName) => void = () => {}): Lessons {
  const shared = new Map<FeatureName, { value: Features[FeatureName]; until: number }>();
  /** What one search found so far, by what it is. */
  const once = new Map<string, object>();
  let context = { tooLong: Number.POSITIVE_INFINITY, fitting: 0, until: 0 };
  let window = { tokens: Number.POSITIVE_INFINITY, until: 0 };
  let output = { limit: Number.POSITIVE_INFINITY, until: 0 };
  let blindUntil = 0;
  let reasoning = { tokens: 0, until: 0 };
  const soon = () => performance.now() + lessonMs;
  const isPast = (until: number) => performance.now() >= until;

  /** Whether another search found the same before. */
  function isSecond(what: string, search: object): boolean {
    const first = once.get(what);
    if (first === undefined) once.set(what, search);
    if (first === undefined || first === search) return false;
    once.delete(what);
    return true;
  }

  return {
    features() {
      let known = allFeatures;
      for (const [feature, { value, until }] of shared) {
        if (isPast(until)) shared.delete(feature);
        else known = changed(known, { feature, value });
      }
      return known;
    },

    confirm(changes, search) {
      for (const { feature, value, isNamed } of changes) {
        if (shared.get(feature)?.value === value) continue;
        if (!isNamed && !isSecond(`${feature} ${value}`, search)) continue;
        shared.set(feature, { value, until: soon() });
        onLesson(feature);
      }
    },

    confirmContext(tooLong, fitting, search) {
      const isKnown = !isPast(context.until);
      if (!isKnown && !isSecond('context', search)) return;
      const before = isKnown ? context : { tooLong: Number.POSITIVE_INFINITY, fitting: 0 };
      context = {
        tooLong: Math.min(before.tooLong, tooLong),
        fitting: Math.max(before.fitting < tooLong ? before.fitting : 0, fitting),
        until: soon(),
      };
      onLesson('context');
    },

    fits(tokens) {
      // What was too long for one prompt is not too long as such: the lesson was wrong.
      if (tokens >= context.tooLong) context = { tooLong: Number.POSITIVE_INFINITY, fitting: 0, until: 0 };
      else if (!isPast(context.until)) context.fitting = Math.max(context.fitting, tokens);
    },

    limitFor: (tokens) => (!isPast(context.until) && tokens >= context.tooLong ? context.fitting : undefined),

    window: () => (isPast(window.until) ? Number.POSITIVE_INFINITY : window.tokens),

    confirmWindow(tokens) {
      window = { tokens, until: soon() };
      onLesson('context');
    },

    hasVision: () => isPast(blindUntil),

    confirmNoVision(isNamed, search) {
      if (!isNamed && !isSecond('vision', search)) return;
      blindUntil = soon();
      onLesson('vision');
    },

    outputLimit: () => (isPast(output.until) ? Number.POSITIVE_INFINITY : output.limit),

    confirmOutputLimit(limit) {
      output = { limit, until: soon() };
      onLesson('output_limit');
    },

    reasoned(tokens) {
      if (tokens === 0 || (tokens <= reasoning.tokens && !isPast(reasoning.until))) return;
      reasoning = { tokens, until: soon() };
      onLesson('reasoning_tokens');
    },

    reasoningTokens: () =>
      isPast(reasoning.until) ? 0 : Math.min(maxReasoning, Math.ceil(reasoningMargin * reasoning.tokens)),
  };
}
