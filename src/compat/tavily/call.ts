/** What the calls of Tavily share: a key that may be in the body, and what every answer says of its call. */
import type { Context } from '../../transport/http/context.ts';

/** The call, with the key of its body where no header has one. */
export async function callOf({ call }: Context): Promise<Context['call']> {
  const { from } = call;
  if (from.api_key !== undefined) return call;
  const body = await call.body();
  const { api_key } = (body ?? {}) as { readonly api_key?: unknown };
  return {
    ...call,
    from: { ...from, api_key: typeof api_key === 'string' ? api_key : undefined },
    body: async () => body,
  };
}

/** Seconds since `begun`, a time of `performance.now()`. */
export function secondsSince(begun: number): number {
  return Math.round(performance.now() - begun) / 1000;
}
