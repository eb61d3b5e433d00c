/** What a search is asked, and what it has to answer with. */
import type { SearchRequest } from '../../protocol/index.ts';
import type { Corpus, Model } from './ports.ts';

export interface EnginePorts {
  readonly model: Model;
  readonly corpus: Corpus;
}

export interface Question {
  readonly search_id: string;
  readonly request: SearchRequest;
  /** What the follow-up follows: the prompts before it, oldest first. */
  readonly previous: readonly string[];
}
