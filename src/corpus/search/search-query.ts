/** A search of the index. */
import type { SourceRules } from '../../../protocol/source-rules.ts';
import type { Reach } from '../index/source-filter.ts';

export interface SearchQuery extends Reach {
  readonly text: string;
  readonly limit: number;
  readonly rules: SourceRules;
  /** Whether to search even if the result is remembered. */
  readonly fresh?: boolean | undefined;
}
