/** A search as Exa's clients ask for it, as one of ours. The requests are not yet validated. */
import type { ExaAnswerRequest, ExaSearchRequest, SearchRequest } from '../../../protocol/index.ts';
import type { ForeignRequestFields, ForeignSearch } from '../../service/calls.ts';
import { domainLists } from '../domain-lists.ts';
import { readFormat, withInstructions } from '../json-schema.ts';

/** A search for sources alone. */
export function searchOf(asked: ExaSearchRequest): ForeignSearch {
  const { query, type, includeDomains, excludeDomains, startPublishedDate, endPublishedDate, collections } = asked;
  const { lists, foreign } = domainLists(includeDomains, excludeDomains);
  const request: Partial<SearchRequest> = {
    prompt: query,
    answer: false,
    effort: type?.startsWith('deep') ? 'balanced' : 'fast',
    ...lists,
    ...(collections == null ? {} : { collections }),
    ...(startPublishedDate == null ? {} : { from: dayOf(startPublishedDate) }),
    ...(endPublishedDate == null ? {} : { to: dayOf(endPublishedDate) }),
  };
  return { request, ...foreign };
}

/** A search for an answer. Throws a 400 for a schema that no template can express. */
export function answerSearchOf({ query, systemPrompt, outputSchema, collections }: ExaAnswerRequest) {
  const loc = ['outputSchema'];
  const format = outputSchema == null ? undefined : { type: 'json_schema' };
  const shape = readFormat(format, outputSchema, { format: loc, schema: loc });
  const request: Partial<SearchRequest> = {
    prompt: query,
    ...(shape === undefined ? {} : { output_format: shape.template }),
    ...(collections == null ? {} : { collections }),
  };
  const foreign: ForeignRequestFields = withInstructions(shape, systemPrompt);
  return { request, ...foreign };
}

/** The day of a date or a time, in UTC. */
function dayOf(text: string): string {
  return text.includes('T') ? new Date(text).toISOString().slice(0, 10) : text;
}
