/** The type of an answer, inferred from the request. */
import type { SearchResult, StructuredResultWithEvidence, TextResult } from '../../protocol/index.ts';
import type { Template } from './transport.ts';

/** The result of a request: for a template its shape, with null where the sources have no value. */
export type ResultOf<Request> = 'output_format' extends keyof Request
  ? Request extends { readonly output_format: infer Format extends Template }
    ? Request extends { readonly include: readonly ['evidence'] }
      ? Omit<StructuredResultWithEvidence, 'output'> & { output: Filled<Format> }
      : Filled<Format>
    : SearchResult
  : TextResult;

type Filled<Format> = Format extends 'string'
  ? string | null
  : Format extends 'number'
    ? number | null
    : Format extends 'boolean'
      ? boolean | null
      : Format extends readonly [infer Element]
        ? NonNullable<Filled<Element>>[]
        : { -readonly [Field in keyof Format]: Filled<Format[Field]> };
