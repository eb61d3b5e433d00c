/**
 * What the engine needs of the outside world. The engine owns these interfaces; `model`, `web` and `corpus` implement
 * them and import nothing of the engine but these types.
 *
 * All offsets are UTF-16 code units into a snapshot's text, `start` inclusive, `end` exclusive: `text.slice(start, end)`.
 * Every method takes an AbortSignal, settles soon after it fires, and rejects with the signal's reason.
 */
import type { Contents, LeafType, OutputFormat, SearchRequest, SourceRules, TextResult } from '../../protocol/index.ts';

/** A page as it was read, immutable. `id` is `snapshotId(url, text)`: the same page with the same text has the same id. */
export interface Snapshot {
  readonly id: string;
  /** Canonical http(s) or file URL that citations show. */
  readonly url: string;
  readonly title: string;
  /** Markdown, LF line ends, well-formed Unicode (no lone surrogates). */
  readonly text: string;
  /** ISO 8601, where the page says it. */
  readonly published_at?: string;
}

/** A stretch of a snapshot, whole sentences and blocks, about 60 to 250 words: the unit that is searched and ranked. */
export interface Passage {
  readonly snapshot: string;
  readonly url: string;
  readonly title: string;
  /** The headings above it, outermost first, joined by " › "; empty at the top of a page. */
  readonly headings: string;
  /** Exactly `snapshot.text.slice(start, end)`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Higher is better; comparable only within one answer of one provider. */
  readonly score: number;
  /** 0 to 1: the share of the query's words, weighted by their rarity in the corpus, that the passage or its title has. */
  readonly coverage?: number;
  readonly published_at?: string;
}

/** The pages this server holds itself. */
export interface Corpus {
  /** The best passages for natural-language text, best first, already filtered by `rules`; never more than `limit`. */
  search(query: { text: string; limit: number; rules: SourceRules }, signal: AbortSignal): Promise<Passage[]>;
  /** The best passages of pages that were just read, by the same measures; `score` compares within this answer. */
  rank(query: { text: string; limit: number; pages: readonly Snapshot[] }, signal: AbortSignal): Promise<Passage[]>;
  snapshot(id: string, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** Keeps a page that was read elsewhere, so that `snapshot` gives it for as long as something may cite it. */
  putSnapshot(snapshot: Snapshot): Promise<unknown>;
}

/** What a search provider says of a page. Nothing of it is believed: the page itself is read before it is cited. */
export interface Hit {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly published_at?: string;
}

export interface WebQuery {
  readonly text: string;
  readonly limit: number;
  readonly rules: SourceRules;
  /** ISO 8601 dates, where the search has them. */
  readonly from?: string;
  readonly to?: string;
  /** BCP 47. */
  readonly language?: string;
}

/** A search provider. Its failure costs the search what it would have found, never more. */
export interface WebSearch {
  readonly name: string;
  /** Whether it can be asked now; absent is yes. One that is not ready is passed over without a word. */
  readonly ready?: () => boolean;
  /** Best first. Rejects with an error whose message is safe to show. */
  search(query: WebQuery, signal: AbortSignal): Promise<Hit[]>;
}

/** A picture that came with a question, checked to be one. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** Opens the image of a request. */
export interface Pictures {
  /**
   * `image` is base64 or an address; undefined for an address that cannot be reached, or where nobody would look at it.
   * Rejects with an AppError for what is no picture.
   */
  open(image: string, signal: AbortSignal): Promise<Picture | undefined>;
}

type ContentsInfo = Contents['info'];

/** What is known of a page and of how it came. */
export type PageInfo = Readonly<Omit<ContentsInfo, 'snapshot' | 'passages' | 'links' | 'warnings'>> & {
  readonly links: readonly ContentsInfo['links'][number][];
  readonly warnings: readonly string[];
};

/** Pages of the web: the same text under the same snapshot id, whoever asks. */
export interface PageReader {
  /** Rejects with an AppError whose code says why the page could not be read, or with the signal's reason. */
  read(
    url: string,
    options: { readonly rules?: SourceRules },
    signal: AbortSignal,
  ): Promise<{ readonly snapshot: Snapshot; readonly info: PageInfo }>;
}

/** A passage that the writer may cite, by the number it was given. */
export interface Evidence extends Passage {
  /** 1, 2, 3 … dense within one search. Not the number of the source: several pieces may come from one page. */
  readonly n: number;
}

/** A piece of a prompt. `input` names the input of a designed API that it was filled with; else the asker wrote it. */
export interface PromptPart {
  readonly text: string;
  readonly input?: string;
}

/** What was asked, as every stage is told it. */
export interface Brief {
  /** The prompts it follows, oldest first, and the prompt itself, blank lines between. */
  readonly prompt: string;
  /** The last of them alone. */
  readonly question: string;
  /** The question in parts, where some of it is an input: those are data, and wish for nothing. */
  readonly parts?: readonly PromptPart[];
  readonly previous: readonly string[];
  /** ISO 8601 date. */
  readonly today: string;
  readonly from?: string;
  readonly to?: string;
  readonly language?: string;
  /** What a picture that came with the question shows. */
  readonly picture?: string;
  /** The template of a structured answer. */
  readonly template?: OutputFormat;
}

/** What a stage works under: when to stop, and what it may spend. */
export interface StageContext {
  readonly signal: AbortSignal;
  readonly meter: Meter;
}

/** Told of every paid call by whoever makes it, retries and repairs included. */
export interface Meter {
  /** Called before each paid call; throws BudgetSpent when there is nothing left for it. Tokens are an estimate. */
  admit(tokens: number): void;
  /** Tokens that may still be spent; a call asks for no more than these. */
  left(): number;
  /** What a call came to. */
  spent(tokens: { readonly in: number; readonly out: number }): void;
}

/** How a question reads: what to look for, and where. */
export interface Plan {
  /** Search queries, the most telling first; at least one. */
  readonly queries: readonly string[];
  /** Timeframe, language and sources that the prompt itself asks for; they narrow what the request allows. */
  readonly from?: string;
  readonly to?: string;
  readonly language?: string;
  readonly only?: readonly string[];
  readonly never?: readonly string[];
}

/** Whether the evidence answers the question. */
export interface Reflection {
  readonly enough: boolean;
  /** What to look for next; empty when nothing more would help. */
  readonly queries: readonly string[];
}

/** A leaf of an output template; `path` is a JSON Pointer, with `-` for "each element" of an array: `/items/-/price`. */
export interface Leaf {
  readonly path: string;
  readonly type: LeafType;
}

/** A leaf's value; `path` has real indices: `/items/0/price`. `null` is "the evidence does not say". */
export interface LeafValue {
  readonly path: string;
  readonly value: string | number | boolean | null;
  /** Where it stands: an evidence number and a span of that evidence's text. Absent when `value` is null. */
  readonly support?: { readonly evidence: number; readonly start: number; readonly end: number };
  /** The same from a model, which types no offsets: words that it says stand in that evidence. They are looked up. */
  readonly quote?: { readonly evidence: number; readonly text: string };
  /** 0 to 1. */
  readonly confidence: number;
  /** Why there is no value, in one sentence. */
  readonly reason?: string;
}

/** How a model judges its own answer; it may come anywhere in the stream. */
export interface Verdict {
  readonly status: TextResult['status'];
}

/** What reads and writes. Every stage has an extractive twin that needs no network. */
export interface Model {
  readonly name: string;
  plan(brief: Brief, context: StageContext): Promise<Plan>;
  reflect(brief: Brief, evidence: readonly Evidence[], context: StageContext): Promise<Reflection>;
  /**
   * The answer as Markdown, in pieces of any size. A sentence that rests on evidence ends with its numbers, `… text. [2][5]`;
   * a model names evidence and never types a URL or an offset. Nothing at all is "the evidence does not answer this".
   */
  write(brief: Brief, evidence: readonly Evidence[], context: StageContext): AsyncIterable<string | Verdict>;
  /** Values for the leaves of a template, in the template's order; rows of an array in order, from 0. */
  fill(
    brief: Brief,
    leaves: readonly Leaf[],
    evidence: readonly Evidence[],
    context: StageContext,
  ): AsyncIterable<LeafValue>;
  /** What a picture shows, in words for a search. Absent where the model cannot see. */
  describe?(picture: Picture, brief: Brief, context: StageContext): Promise<string>;
}

/** Everything that the engine works with. */
export interface EnginePorts {
  readonly model: Model;
  /** Does the work of each stage that `model` fails at. */
  readonly twin?: Model | undefined;
  readonly corpus: Corpus;
  readonly providers?: readonly WebSearch[];
  /** Absent where the web is not read: then only the corpus answers. */
  readonly pages?: PageReader | undefined;
}

/** One search, as it is handed to the engine. */
export interface Question {
  readonly search_id: string;
  readonly request: SearchRequest;
  /** What the follow-up follows: the prompts before it, oldest first. */
  readonly previous: readonly string[];
  /** The prompt of the request in parts, where a designed API was run. */
  readonly parts?: readonly PromptPart[] | undefined;
  /** The request's image; absent also where it could not be had. */
  readonly picture?: Picture | undefined;
  /** Until the run's deadline; 120 unless told. */
  readonly seconds?: number;
}
