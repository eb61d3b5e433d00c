/**
 * What the engine needs from the outside world, and the job that it is given. The engine owns these interfaces (one file
 * per port in `ports/`); `model`, `web` and `corpus` implement them and import only their types.
 *
 * In all of them, offsets are UTF-16 code units into a snapshot's text, `start` inclusive, `end` exclusive:
 * `text.slice(start, end)`. A method that takes an AbortSignal settles soon after it fires, rejecting with its reason.
 */
import type { SearchRequest, Usage } from '../../protocol/index.ts';
import type { AllowedByPath } from '../base/values/allowed-values.ts';
import type { CallWatch } from './ports/call-watch.ts';
import type { Corpus } from './ports/corpus.ts';
import type { HeldImage } from './ports/images.ts';
import type { Model, PromptPart } from './ports/model.ts';
import type { PageReader, WebSearch } from './ports/web.ts';

export interface EnginePorts {
  readonly model: Model;
  /** Models that a request may name instead of `model`. It may also name `fallbackModel`. */
  readonly otherModels?: readonly Model[] | undefined;
  /** Plans and reflects instead of `model`. */
  readonly planner?: Model | undefined;
  /** Takes over the stages that `model` or `planner` fails at, before `fallbackModel`. */
  readonly standby?: Model | undefined;
  /** Takes over every stage that the others fail at. Absent if `model` itself is the extractive one. */
  readonly fallbackModel?: Model | undefined;
  readonly corpus: Corpus;
  readonly providers?: readonly WebSearch[];
  /** Absent if the server does not read the web: then only the corpus answers. */
  readonly pages?: PageReader | undefined;
}

/** One search, as it is handed to the engine. */
export interface SearchJob {
  readonly search_id: string;
  /** The account that searches, if there are several: see `PageReader`. */
  readonly owner?: string;
  /** Restricts the search to these sources of the index, of this account; the web is not searched then. */
  readonly reach?: { readonly owner: string; readonly sources: readonly string[] } | undefined;
  readonly request: Omit<SearchRequest, 'image'>;
  /** The prompts that this one follows up on, oldest first. */
  readonly previous: readonly string[];
  /** The answer to the newest of them, if there is one. */
  readonly previousAnswer?: string | undefined;
  /** The beginnings of the answers before that, oldest first. */
  readonly earlierAnswers?: readonly string[] | undefined;
  /** How the calling application wants answers written. */
  readonly instructions?: string | undefined;
  /** The values that fields of the template may have, where the application restricts more than their types. */
  readonly allowed?: AllowedByPath | undefined;
  /** The prompt of the request in parts, if a designed API is run. */
  readonly parts?: readonly PromptPart[] | undefined;
  /** The request's image, `unavailable` if it could not be fetched or no model could look at it. */
  readonly image?: HeldImage | 'unavailable' | undefined;
  /** Seconds until the run's deadline; 120 by default. */
  readonly seconds?: number;
  /** Whether remembered results of identical searches must not be used. */
  readonly fresh?: boolean | undefined;
  /** Notified of the calls that the search makes. */
  readonly watch?: CallWatch | undefined;
  /** Is given, once, what reads the usage so far: it holds also where the search does not come to an end of its own. */
  readonly shareUsage?: ((read: () => Usage) => void) | undefined;
}
