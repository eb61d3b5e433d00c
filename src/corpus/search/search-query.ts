/** A search of the index. */
import type { SourceRules } from '../../../protocol/source-rules.ts';
import type { PagesReach } from '../../engine/ports/corpus.ts';

export interface SearchQuery extends PagesReach {
  readonly text: string;
  readonly limit: number;
  readonly rules: SourceRules;
  /** Whether to search even if the result is remembered. */
  readonly fresh?: boolean | undefined;
}
