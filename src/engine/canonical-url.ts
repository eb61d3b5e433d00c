/**
 * One name for the addresses of one page: what providers return with and without `www.`, a trailing slash, a fragment or
 * the marks of an advertiser is the same page. For comparing only; a page is opened by the address that was given.
 */
const marks = /^(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_cid|mc_eid|igshid|ref_src|_hsenc|_hsmi|cmpid)$/i;

/** Undefined for what is no http(s) address. */
export function canonicalUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const kept = [...url.searchParams].filter(([name]) => !marks.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const host = url.host.replace(/^www\./, '').replace(/\.(?=:|$)/, '');
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, '');
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `${host}${path}${query}`;
}
