/** The prompt that users pick in their client: research a question, and cite what supports each claim. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

/** All prompts. */
export const prompts: readonly Prompt[] = [
  {
    name: 'research-with-citations',
    title: 'Research with citations',
    description: 'Researches a question and answers it with quotes that can be checked.',
    arguments: [
      { name: 'question', description: 'What to find out.', required: true },
      { name: 'sources', description: 'Hosts to use, separated by commas; all if empty.' },
    ],
  },
];

/** The messages of a prompt; undefined if there is none of this name, or its question is missing. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult | undefined {
  const { question = '', sources = '' } = given;
  if (name !== prompts[0]?.name || question.trim() === '') return undefined;
  const hosts = sources
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  const only = hosts.length === 0 ? '' : ` Pass source_whitelist ${JSON.stringify(hosts)} to it.`;
  const text = `Research this question and answer it with citations:

${question}

1. Call the tool research_start, then research_result until its state is "completed".${only}
2. Answer from the result only. After each claim put the marker [n] of the citation that supports it.
3. List the cited sources at the end: [n], title, URL, and the quote.
4. If the status is "not_found", say so and show what came nearest. If it is "conflicting", show both sides.`;
  return { description: 'Research with citations', messages: [{ role: 'user', content: { type: 'text', text } }] };
}
