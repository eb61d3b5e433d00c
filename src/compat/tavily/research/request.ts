/** Research as Tavily's clients ask for it, as a search. */
import type { SearchRequest, TavilyResearchRequest } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { domainLists } from '../../domain-lists.ts';
import { readFormat, withInstructions } from '../../json-schema.ts';

/** Where none is named. */
export const defaultModel = 'auto';

/** Not yet validated. Throws a 422 for a schema that no template can express. */
export function researchSearch(asked: TavilyResearchRequest): SearchInput {
  const { input, model, stream, output_schema, include_domains, exclude_domains, collections } = asked;
  const loc = ['output_schema'];
  const shape =
    output_schema == null
      ? undefined
      : readFormat({ type: 'json_schema' }, output_schema, { format: loc, schema: loc });
  const { lists, foreign } = domainLists(include_domains, exclude_domains);
  const request: Partial<SearchRequest> = {
    prompt: input,
    effort: model === 'mini' ? 'balanced' : 'deep',
    ...(stream ? {} : { background: true }),
    ...(shape === undefined ? {} : { output_format: shape.template }),
    ...lists,
    ...(collections == null ? {} : { collections }),
  };
  return { request, ...withInstructions(shape), ...foreign };
}
