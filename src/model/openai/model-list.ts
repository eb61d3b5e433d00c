/** The list of models at `/models`, as OpenAI, Anthropic and compatible servers answer it. */

/** The names; undefined if the answer is not such a list. */
export function readModelList(answer: unknown): readonly string[] | undefined {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((each: { id?: unknown } | null) => (typeof each?.id === 'string' ? [each.id] : []));
}
