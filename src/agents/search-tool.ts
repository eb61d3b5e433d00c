/**
 * `citewire/ai`: a tool for agents that have a model of their own. The AI SDK takes it as it is; others that take a zod
 * schema and a function can use `inputSchema` and `execute`. It imports nothing of the AI SDK, which stays the agent's own.
 *
 *     const research = searchTool({ baseUrl: 'http://localhost:8080', apiKey: process.env.CITEWIRE_API_KEY });
 *     const { text } = await generateText({ model, tools: { research }, stopWhen: stepCountIs(5), prompt });
 */
import * as z from 'zod';
import type { TextResult } from '../../protocol/index.ts';
import { type ClientOptions, createClient, type SearchInput } from '../client/client.ts';

/** Where the server is, and what holds for every search of the tool. */
export type SearchToolOptions = Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'fetch'> &
  Pick<
    SearchInput,
    'effort' | 'source_whitelist' | 'source_blacklist' | 'collections' | 'from' | 'to' | 'language' | 'max'
  > & {
    /** What the model reads of the tool, in place of the text below. */
    readonly description?: string;
  };

/** What the model writes. */
export const SearchToolInput = z.object({
  question: z.string().min(1).describe('A complete question, understandable without the conversation.'),
});
export type SearchToolInput = z.infer<typeof SearchToolInput>;

/** What the model reads. `[n]` in the answer is the source with this `n`; a quote is word for word from its page. */
export interface SearchToolOutput {
  readonly search_id: string;
  readonly status: TextResult['status'];
  readonly answer: string;
  readonly sources: readonly {
    readonly n: number;
    readonly title: string;
    readonly url: string;
    readonly quotes: readonly string[];
  }[];
}

const about =
  'Researches a question in sources and answers it. Statements in the answer carry markers like [1]; `sources` has the ' +
  'page of each marker, with the words it says it in. Keep the markers of statements that you use, and name their pages.';

/** A tool. Its `execute` rejects with a `CitewireError` when there is no answer; the signal of the call cancels the search. */
export function searchTool({ baseUrl, apiKey, fetch, description = about, ...request }: SearchToolOptions) {
  const client = createClient({ baseUrl, apiKey, fetch });
  return {
    description,
    inputSchema: SearchToolInput,
    async execute(
      { question }: SearchToolInput,
      { abortSignal }: { readonly abortSignal?: AbortSignal | undefined } = {},
    ): Promise<SearchToolOutput> {
      // No connection is left open that would keep a script from ending.
      const search = client.search({ ...request, prompt: question }, { signal: abortSignal, transport: 'sse' });
      return outputOf((await search.result) as TextResult);
    },
  };
}

function outputOf({ search_id, status, answer, message, sources, citations }: TextResult): SearchToolOutput {
  const cited = sources.flatMap(({ id, n, title, url }) => {
    const quotes = citations.filter(({ source_id }) => source_id === id).map(({ quote }) => quote);
    return quotes.length === 0 ? [] : [{ n, title, url, quotes: [...new Set(quotes)] }];
  });
  return { search_id, status, answer: answer === '' ? (message ?? '') : answer, sources: cited };
}
