/** The kinds of values that several settings have. */
import * as z from 'zod';

/** What is not a URL is not examined further, so that refinements may parse it. */
export const httpUrl = z.url({ protocol: /^https?$/, abort: true });

/** What an HTTP header can have as its name, and as its value: a call with any other fails before it is sent. */
export const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/);
export const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/);

/** A key that is sent in a header. */
export const apiKey = headerValue.optional().describe('a key without line breaks and characters such as "…"');

/** Entries separated by commas, without the spaces around them; empty ones are left out. */
export const commaSeparated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

/** Parsed JSON, for `transform`. Invalid JSON is an issue of the setting. */
export function json(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'invalid JSON' });
    return z.NEVER;
  }
}

/** A number written as text. */
export function numberOf<Value extends z.ZodType<number, number>>(value: Value) {
  return z.string().regex(/\S/).transform(Number).pipe(value);
}
