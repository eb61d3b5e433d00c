/**
 * One call on its way to an endpoint: what is sent, and how that changes with each answer that the endpoint rejects. What
 * finally worked is passed on as lessons.
 */
import type { StageContext } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';
import { type Call, writePrompt } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { Rejection } from './errors.ts';
import { type Change, changeAfter, changed } from './features.ts';
import type { Lessons } from './lessons.ts';
import { createRoom } from './room.ts';
import { isOverRate, isTooLong, outputLimitIn } from './stated-limits.ts';
import type { FeatureName, WireCall } from './wire.ts';

/** A call that adapts to what the endpoint rejects. */
export interface AdaptiveCall {
  /** The call in its present form. */
  write(stream: boolean, left: number): WireCall;
  /** Tokens of its prompt, estimated. */
  tokens(): number;
  /** Whether its answer has less room than it was to have, because the search has no more tokens left. */
  isShort(): boolean;
  /** Changes the call after a rejection. False if nothing is left that could help, or the rejection is not about the call. */
  adapt(error: unknown): boolean;
  /** Gives the answer more room after it was cut off. False if it has had enough, or `left` tokens do not allow more. */
  grow(left: number): boolean;
  /** Asks for JSON in words alone, after an answer that was none. False if that is how it was asked. */
  askInWords(): boolean;
  /** Passes on what was learned. */
  succeeded(): void;
}

/** How many rejections one call may adapt to: more than one for each feature. Set by hand. */
const maxAdaptations = 8;
/**
 * Rejections because of the sender or the moment, whatever their text says: Bedrock's "Too many tokens, please wait before
 * trying again." (429) is not about the length of the prompt, and OpenRouter's 402 names the tokens that the account can
 * still pay for. What they say must not become a lesson about the endpoint.
 */
const notAboutCall: readonly number[] = [402, 408, 409, 429];
/** A request that is too large, whatever the text says. */
const tooLarge = 413;

const noVision =
  /text.?only|(?:only|not) support(?:ed|s)?[^.]{0,40}(?:certain|some|vision|multimodal|image)|(?:not support|unsupported|does not (?:accept|take|have)|no support)[^.]{0,40}(?:image|vision)|not (?:a )?(?:multimodal|vision)|missing[^.]{0,20}(?:mmproj|projector)/;

/** Words about the model, rather than about what was sent to it. */
const modelWords = /\b(?:model|endpoint)s?\b|multimodal|vision|mmproj|projector|text.?only/;
/** Words about one image: its format or its bytes. Gemini takes no GIF, say. */
const badImage =
  /(?:mime|media).?type|image (?:format|type|file|data)|unsupported image\b(?!.?(?:input|url))|valid image|image\/(?:gif|webp|png|jpe?g)/;

/** Searches in which guessing was of no use: their other calls do not guess. */
const fruitless = new WeakSet<object>();

/** The call as far as the lessons so far allow; `meter` stands for its search. */
export function createAdaptiveCall(
  { wire, model, tuning }: Endpoint,
  lessons: Lessons,
  call: Call,
  { meter }: StageContext,
): AdaptiveCall {
  const known = lessons.features();
  let features = call.inWords ? changed(known, { feature: 'format', value: 'text' }) : known;
  let adaptations = 0;
  let isShort = false;
  const changes: Change[] = [];
  const context = tuning.context?.();
  const room = createRoom(call, context, lessons, meter);
  let written: WireCall | undefined;

  function used(): Set<FeatureName> {
    const { temperature, seed, reasoning } = written ?? {};
    const all: [FeatureName, boolean][] = [
      ['format', call.schema !== undefined],
      ['system', true],
      ['temperature', temperature !== undefined],
      ['seed', seed !== undefined],
      ['reasoning', reasoning !== undefined],
      ['maxTokens', true],
      ['streamUsage', written?.stream ?? false],
    ];
    return new Set(all.flatMap(([feature, isUsed]) => (isUsed ? [feature] : [])));
  }

  function change(next: Change): true {
    features = changed(features, next);
    changes.push(next);
    return true;
  }

  return {
    write(stream, left) {
      const affordable = Math.floor(left - room.promptTokens());
      isShort = affordable < room.answerTokens();
      written = {
        model,
        ...writePrompt(call, room.pieces()),
        image: call.image,
        schema: call.schema && { name: call.schema.name, schema: call.schema.schema },
        maxTokens: Math.max(1, Math.min(room.answerTokens(), affordable)),
        context,
        temperature: tuning.temperature,
        seed: tuning.seed,
        reasoning: tuning.reasoning?.(call),
        keepAlive: tuning.keepAlive,
        stream,
        features,
      };
      return written;
    },

    tokens: room.promptTokens,
    isShort: () => isShort,

    adapt(error) {
      if (!(error instanceof Rejection) || adaptations >= maxAdaptations) return false;
      const { status, permanent, complaint } = error;
      const isRate = isOverRate(complaint);
      // A 404 may be about what is asked of the model, such as tools.
      const isOther = status !== undefined && (notAboutCall.includes(status) || (permanent && status !== 404));
      if (isOther && !(isRate && status === 429)) return false;
      adaptations += 1;
      const limit = outputLimitIn(complaint, room.answerTokens());
      if (limit !== undefined) return room.limitAnswer(limit);
      const isLong = isRate || isTooLong(complaint);
      if ((isLong || status === tooLarge) && room.shorten(complaint)) return true;
      if (isLong) return false;
      if (call.image !== undefined && noVision.test(complaint) && !badImage.test(complaint)) {
        lessons.confirmNoVision(modelWords.test(complaint), meter);
        throw new ModelError('it does not accept images.', { cause: error });
      }
      const next = changeAfter(error, { features, used: used(), optional: wire.optional });
      if (next === undefined) return false;
      // An image that is rejected says nothing of the rest of the call.
      if (!next.isNamed && (call.image !== undefined || fruitless.has(meter))) return false;
      return change(next);
    },

    grow: room.grow,

    askInWords() {
      if (call.schema === undefined || features.format === 'text') return false;
      return change({ feature: 'format', value: 'text', isNamed: false });
    },

    succeeded() {
      // Of features that were left out on a guess, only the last is known to matter.
      const certain = changes.filter(({ isNamed }, at) => isNamed || at === changes.length - 1);
      const shared = certain.filter(({ feature }) => feature !== 'format' || call.schema?.isOurs === true);
      lessons.confirm(shared, meter);
      room.succeeded();
    },
  };
}

/** Records that no guess has helped a call of this search. */
export function giveUpGuessing({ meter }: StageContext): void {
  fruitless.add(meter);
}
