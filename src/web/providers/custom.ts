/** Any other search API that answers a GET with JSON, described by configuration. */
import * as z from 'zod';
import { headerName, headerValue } from '../../base/settings/setting-values.ts';
import { hitOf, type ProviderAdapter, withSites } from './adapter.ts';

/** `results` and `fields` are paths such as `data.items`; `url` contains `{query}` and may contain `{limit}` and `{language}`. */
export const HttpSearch = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('http'),
  url: z.url({ protocol: /^https?$/ }).refine((url) => url.includes('{query}') || url.includes('%7Bquery%7D')),
  headers: z.record(headerName, headerValue).default({}),
  results: z.string().default('results'),
  fields: z
    .strictObject({ url: z.string(), title: z.string(), snippet: z.string(), published_at: z.string() })
    .partial()
    .default({}),
});
export type HttpSearch = z.infer<typeof HttpSearch>;

/** The adapter for a search API described by configuration. */
export function httpSearch({ name, url, headers, results, fields }: HttpSearch): ProviderAdapter {
  return {
    name,
    request(query) {
      const values: Record<string, string> = {
        query: withSites(query),
        limit: String(query.limit),
        language: query.language ?? '',
      };
      const filled = url.replace(/(?:\{|%7B)(query|limit|language)(?:\}|%7D)/gi, (_, key: string) =>
        encodeURIComponent((values[key.toLowerCase()] ?? '').toWellFormed()),
      );
      return { url: filled, init: { headers: { accept: 'application/json', ...headers } } };
    },
    parse(response) {
      return rowsAt(response, results).flatMap((row) => {
        const field = (key: keyof typeof fields, usual: string) => at(row, fields[key] ?? usual);
        const hit = hitOf(
          field('url', 'url'),
          field('title', 'title'),
          field('snippet', 'snippet'),
          field('published_at', 'published_at'),
        );
        return hit ?? [];
      });
    },
  };
}

/** The value at a path; the empty path is the whole value. */
function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path
    .split('.')
    .reduce((inner, key) => (Object.hasOwn(fieldsOf(inner), key) ? fieldsOf(inner)[key] : undefined), value);
}

function rowsAt(response: unknown, path: string): unknown[] {
  const rows = at(response, path);
  return Array.isArray(rows) ? rows : [];
}

/** Empty for anything that is not an object. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
