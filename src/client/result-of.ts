/** What the compiler knows of an answer from the request alone. */
import type { SearchResult, StructuredResultWithEvidence, TextResult } from '../../protocol/index.ts';
import type { Template } from './transport.ts';

/** What a request is answered with: for a template its shape, with null where the sources do not say. */
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
        ? Filled<Element>[]
        : { -readonly [Field in keyof Format]: Filled<Format[Field]> };
