/** What the common embedding models want to read before a question and before a passage, as their model cards say. */

export interface Prefixes {
  readonly query: string;
  readonly document: string;
}

const instruction = 'Represent this sentence for searching relevant passages:';
const task = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

/** The first whose pattern matches the name of the model, in lower case. */
const known: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed/, { query: 'search_query:', document: 'search_document:' }],
  // These take a task with the question only.
  [/e5-.*instruct|e5-mistral|qwen3-embedding/, { query: task, document: '' }],
  [/(?:^|[/-])(?:multilingual-)?e5-/, { query: 'query:', document: 'passage:' }],
  [/bge-(?:small|base|large)-en|mxbai-embed|snowflake-arctic-embed/, { query: instruction, document: '' }],
];

/** The prefixes of a model by its name; empty ones for a model that is not known. */
export function prefixesFor(model: string): Prefixes {
  const name = model.toLowerCase();
  return known.find(([pattern]) => pattern.test(name))?.[1] ?? { query: '', document: '' };
}
