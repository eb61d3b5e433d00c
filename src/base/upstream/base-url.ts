/** Addresses below a base URL, which may have a query: those of Azure have `?api-version=…`. */

/** `path`, which may have a query of its own, below a base URL; the query of the base URL stays. */
export function urlBelow(baseUrl: string, path: string): string {
  const [, base = '', query = ''] = split(baseUrl);
  return `${base.replace(/\/+$/, '')}${path}${path.includes('?') ? query.replace('?', '&') : query}`;
}

/** A base URL whose part before the query, without slashes at its end, is what `change` makes of it. */
export function withPath(baseUrl: string, change: (base: string) => string): string {
  const [, base = '', query = ''] = split(baseUrl);
  return `${change(base.replace(/\/+$/, ''))}${query}`;
}

function split(baseUrl: string): readonly (string | undefined)[] {
  return /^([^?#]*)(\?[^#]*)?/.exec(baseUrl) ?? [];
}
