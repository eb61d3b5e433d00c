/**
 * The port to whatever reads and writes: a language model, or the extractive model that needs no network.
 *
 * Every method takes a `StageContext`. It settles soon after the signal fires, rejecting with the signal's reason, and
 * reports each paid call to the meter. Any other rejection is a failure of the stage, which then falls back to the
 * extractive model. Only the message of a `ModelError` is shown to users.
 */
import type {
  ClaimVerdict,
  LeafType,
  OutputFormat,
  SearchRequest,
  SourceRules,
  TextResult,
} from '../../../protocol/index.ts';
import type { AllowedValues } from '../../base/values/allowed-values.ts';
import type { CallWatch } from './call-watch.ts';
import type { Image } from './images.ts';
import type { Evidence } from './snapshot.ts';
import type { TokenCounts } from './token-counts.ts';

export interface Model {
  /** Shown in `usage.models`. */
  readonly name: string;
  /** What to search for, and the constraints that the prompt itself states. */
  plan(brief: Brief, context: StageContext): Promise<Plan>;
  /** Whether the evidence is enough, and what to search for if it is not. */
  reflect(brief: Brief, evidence: readonly Evidence[], context: StageContext): Promise<Reflection>;
  /**
   * The answer as Markdown, in pieces of any size. A sentence that rests on evidence ends with its numbers, `… text. [2][5]`;
   * a model cites evidence by number and never writes a URL or an offset. No text at all means that the evidence does not
   * answer the question.
   */
  write(brief: Brief, evidence: readonly Evidence[], context: StageContext): AsyncIterable<string | Verdict>;
  /**
   * Values for the leaves of a template, in the template's order. Array rows come in order, starting at 0. Those after
   * `maxRows` are left out; one of them says that there are more.
   */
  fill(
    brief: Brief,
    leaves: readonly Leaf[],
    evidence: readonly Evidence[],
    context: StageContext,
  ): AsyncIterable<LeafValue>;
  /**
   * Whether passages say what claims say: a verdict for each claim, in the same order, undefined where there is none.
   * Absent if the model only repeats what pages say.
   */
  judgeClaims?(
    brief: Brief,
    claims: readonly ClaimToJudge[],
    context: StageContext,
  ): Promise<readonly (ClaimVerdict | undefined)[]>;
  /**
   * What each page says about the question, whether or not that answers it: one span of whole sentences a page, at most 400
   * characters, the best first. Pages without a word of the question have none. Only the extractive model has it.
   */
  excerpts?(brief: Brief, evidence: readonly Evidence[], context: StageContext): Promise<readonly PassageSpan[]>;
  /**
   * A short text about a conversation, for a prompt that a program wrote. Absent if the model only repeats what pages say.
   */
  reply?(prompt: string, context: StageContext): Promise<string>;
  /** What the image shows, in words that help a search. Absent if the model has no vision. */
  describeImage?(image: Image, brief: Brief, context: StageContext): Promise<string>;
  /**
   * Whether `describeImage` works, as far as is known without a call. If absent, it works wherever it is defined. Never
   * rejects.
   */
  hasVision?(): Promise<boolean>;
}

/** A stretch of the text of a piece of evidence, by the number of that piece; UTF-16 code units, `end` exclusive. */
export interface Span {
  readonly n: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A span, and the share of the question's words, weighted by their rarity, that it and the headings above it have: 0 to 1.
 */
export interface PassageSpan extends Span {
  readonly coverage: number;
}

/** The conditions of a stage: when to stop, and what it may spend. */
export interface StageContext {
  readonly signal: AbortSignal;
  readonly meter: Meter;
  /** The account that searches: accounts share the places of an endpoint fairly. */
  readonly owner?: string | undefined;
  /** Notified of the calls to the endpoint. */
  readonly watch?: CallWatch | undefined;
  /** Max. ms until an answer begins, if that is less than the endpoint's usual limit. */
  readonly firstMs?: number | undefined;
}

/** Accounts for paid calls. A model reports each one here, retries and repairs included. */
export interface Meter {
  /**
   * Call before each paid call, with an estimate of its input tokens and the longest answer it asks for. Both are kept for it
   * until they are passed to `free`. Throws `BudgetSpent` if nothing is left for the input.
   */
  admit(tokens: number, answer?: number): void;
  /** Call when an admitted call is over, with the tokens that were reserved for it. */
  free?(tokens: number): void;
  /** Tokens that may still be spent; a call must not request more than this. */
  left(): number;
  /** Call when an answer was cut off because no more tokens were left for it. Returns the `BudgetSpent` to throw. */
  exhausted?(): Error;
  /** Call after each paid call, with what it used. */
  record(tokens: TokenCounts): void;
}

/** The question, as every stage sees it. */
export interface Brief {
  /** The previous prompts, oldest first, and the current one, separated by blank lines. */
  readonly prompt: string;
  /** The current prompt alone. */
  readonly question: string;
  /** The current prompt in parts, if some of it is an input of a designed API: inputs are data and state no constraints. */
  readonly parts?: readonly PromptPart[];
  /** The prompts that this one follows up on, oldest first. */
  readonly previous: readonly string[];
  /** The answer to the newest of them, in which a follow-up may refer to things. Data, like pages: it quotes them. */
  readonly previousAnswer?: string;
  /** The beginnings of the answers before that, oldest first. Data, too. */
  readonly earlierAnswers?: readonly string[];
  /** How the application wants answers written: tone, length and form, nothing else. */
  readonly instructions?: string;
  /**
   * The documents that the question says to look in, to which the search is restricted, and the words that say so: its own, or those of
   * the previous one.
   */
  readonly within?: { readonly phrase: string; readonly titles: readonly string[]; readonly rules: SourceRules };
  /** ISO 8601 date. */
  readonly today: string;
  /** How much is wanted: a `deep` answer may be long. Absent means `balanced`. */
  readonly effort?: SearchRequest['effort'];
  /** ISO 8601 dates of publication, both inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** BCP 47. */
  readonly language?: string;
  /** What the request's image shows, as a model described it. */
  readonly imageDescription?: string;
  /** The template, if the answer is structured. */
  readonly template?: OutputFormat;
  /** In a part of a deep search: the question as it was asked. */
  readonly whole?: string;
  /** For the answer of a deep search: the questions that were researched for it. */
  readonly researched?: readonly string[];
  /** What research has tried so far; set for reflection alone. */
  readonly tried?: Tried;
}

/** What a search has done: a model that does not see it tries the same again. */
export interface Tried {
  /** The queries that were made, oldest first. */
  readonly queries: readonly string[];
  /** Titles, or hosts, of pages that were found and could not be read. */
  readonly failedPages: readonly string[];
}

/** A part of a prompt. `input` is the name of the API input that supplied it; absent for text that the author wrote. */
export interface PromptPart {
  readonly text: string;
  readonly input?: string;
}

export interface Plan {
  /** Search queries, most important first; at least one. */
  readonly queries: readonly string[];
  /** In a deep search: the questions that it takes to answer the prompt, each understandable by itself. */
  readonly parts?: readonly string[];
  /** Constraints that the prompt itself states. They can only narrow what the request allows. Formats as in `Brief`. */
  readonly from?: string;
  readonly to?: string;
  readonly language?: string;
  /** Sources to use exclusively, and sources to avoid: hosts, or hosts with a path. */
  readonly only?: readonly string[];
  readonly never?: readonly string[];
}

export interface Reflection {
  /** Whether the evidence answers the question. */
  readonly enough: boolean;
  /** What to search for next; empty if nothing more would help. */
  readonly queries: readonly string[];
  /** In a deep search: what the evidence says about the question. Absent, or empty, if the model took no notes. */
  readonly notes?: readonly Note[];
}

/** A fact that a model found in a piece of evidence. */
export interface Note {
  /** The number of the piece. */
  readonly evidence: number;
  /** In the model's words, understandable by itself. */
  readonly fact: string;
  /** In the words of the piece; the engine looks them up. */
  readonly quote: string;
}

/** A sentence of an answer, and the passage of a page that it cites. */
export interface ClaimToJudge {
  readonly claim: string;
  readonly passage: string;
  /** The title of the page. */
  readonly title: string;
}

/** How a model judges its own answer. May come at any point of the stream. */
export interface Verdict {
  readonly status: TextResult['status'];
}

/** A leaf of a template. `path` is a JSON Pointer with `-` for each element of an array: `/items/-/price`, `/tags/-`. */
export interface Leaf {
  readonly path: string;
  readonly type: LeafType;
  /** Absent if any value of its type is allowed. */
  readonly allowed?: AllowedValues;
}

/** The value of a leaf. `path` has real indices: `/items/0/price`. A `null` value means "the evidence does not say". */
export interface LeafValue {
  readonly path: string;
  readonly value: string | number | boolean | null;
  /** Where the evidence states it: its number, and a span of its text (UTF-16 code units). Absent if `value` is null. */
  readonly support?: { readonly evidence: number; readonly start: number; readonly end: number };
  /**
   * The alternative for models that cannot count offsets: words said to be in that evidence, or '' for none. The engine looks
   * them up.
   */
  readonly quote?: { readonly evidence: number; readonly text: string };
  /** 0 to 1. */
  readonly confidence: number;
  /** Why there is no value, in one sentence. */
  readonly reason?: string;
}
