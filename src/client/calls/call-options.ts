/** What calls take besides their content, and their query strings. */

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PageOptions extends CallOptions {
  readonly limit?: number | undefined;
  /** `cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A query string with its "?", without undefined parameters; empty when nothing is left. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
