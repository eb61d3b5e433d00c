/**
 * Questions that the index answers well, for a reader who does not know what to ask. On a new server they are about
 * Citewire; on an index of one's own they are made from its documents, and those of the account. Each was asked, without a
 * language model or the web, and only those that were answered from the page they were made from are suggested. They are made
 * again after a change of the index, when somebody asks for them.
 */
import type { Suggestions, TextResult } from '../../../protocol/index.ts';
import { everybody } from '../../base/source-names.ts';
import { createSingleFlight } from '../../base/values/single-flight.ts';
import type { Research } from '../../engine/engine.ts';
import type { Corpus, Outline } from '../../engine/ports/corpus.ts';
import { newSearchId } from '../../runs/registry.ts';

/** A question, and the page that it was made from; any page may answer one without. */
interface Candidate {
  readonly question: string;
  readonly snapshot?: string;
}

export interface SuggestionParts {
  readonly corpus: Pick<Corpus, 'initialIndexing'> & {
    ownsPages(owner: string): Promise<boolean>;
    outline(owner: string): Promise<Outline>;
  };
  /** Questions that these passages may answer, the best first. */
  propose(passages: Outline['passages']): Promise<readonly Candidate[]>;
  /** Searches the index alone. */
  readonly research: Research;
  /** Whether other searches have a language model; see `has_model` in the protocol. */
  readonly hasModel: boolean;
}

export interface SuggestionMaker {
  /**
   * What is known now for an account. A change of the index is waited for up to two seconds. Rejects if the index cannot be
   * read.
   */
  current(account: string): Promise<Suggestions>;
  /** Stops asking. */
  close(): void;
}

/** The first index has Citewire's documentation, and its page of questions and answers. */
const firstQuestions = ['What is Citewire?', 'How do I index a folder?', 'How do I get an answer as JSON?'];
/** Set by hand: questions that are suggested, and candidates that are asked, a few milliseconds each. */
const maxSuggested = 3;
const maxAsked = 16;
/** ms: how long a caller waits for new questions, and how often the index is looked at. Set by hand. */
const maxWaitMs = 2_000;
const minAgeMs = 3_000;
/** Accounts with pages of their own whose questions are remembered; set by hand. */
const maxOwners = 100;

/** Nothing is read or asked before the first call. */
export function createSuggestions({ corpus, propose, research, hasModel }: SuggestionParts): SuggestionMaker {
  const closing = new AbortController();
  /** By account, since questions are also made from its own pages; the account that asked last comes last. */
  const makers = new Map<string, () => Promise<readonly string[]>>();

  function createMaker(owner: string): () => Promise<readonly string[]> {
    let edition: string | undefined;
    let questions: readonly string[] = [];
    let lookedAt = Number.NEGATIVE_INFINITY;

    const make = createSingleFlight(async () => {
      const outline = await corpus.outline(owner);
      lookedAt = performance.now();
      if (outline.edition === edition) return;
      const first = outline.pages === 0 ? [] : firstQuestions.map((question) => ({ question }));
      const candidates = outline.passages.length === 0 ? first : await propose(outline.passages);
      const answered: Candidate[] = [];
      for (const candidate of candidates.slice(0, maxAsked)) {
        if (answered.length === maxSuggested) break;
        if (await isAnswered(candidate, owner)) answered.push(candidate);
      }
      questions = answered.map(({ question }) => question);
      edition = outline.edition;
    });

    return async () => {
      const making = performance.now() - lookedAt >= minAgeMs ? make() : make.current;
      if (making !== undefined) {
        // The race below passes a failure on; once nobody waits for it, it must not end the process.
        making.catch(() => {});
        let timer: NodeJS.Timeout | undefined;
        const tooLong = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, maxWaitMs);
        });
        await Promise.race([making, tooLong]).finally(() => clearTimeout(timer));
      }
      return questions;
    };
  }

  function makerOf(owner: string): () => Promise<readonly string[]> {
    const maker = makers.get(owner) ?? createMaker(owner);
    makers.delete(owner);
    makers.set(owner, maker);
    if (makers.size > maxOwners) makers.delete(makers.keys().next().value!);
    return maker;
  }

  async function isAnswered({ question, snapshot }: Candidate, owner: string): Promise<boolean> {
    const search_id = newSearchId();
    const job = { search_id, owner, request: { prompt: question, effort: 'fast' as const }, previous: [] };
    for await (const event of research(job, closing.signal)) {
      if (event.type !== 'search.completed' || event.status !== 'answered') continue;
      const [citation] = (event.result as TextResult).citations;
      return citation !== undefined && (snapshot === undefined || citation.snapshot === snapshot);
    }
    return false;
  }

  return {
    async current(account) {
      const indexing = corpus.initialIndexing?.();
      if (indexing !== undefined) return { questions: [], indexing: indexing.progress(), has_model: hasModel };
      const owner = (await corpus.ownsPages(account)) ? account : everybody;
      return { questions: [...(await makerOf(owner)())], has_model: hasModel };
    },
    close: () => closing.abort(new Error('The server is shutting down.')),
  };
}
