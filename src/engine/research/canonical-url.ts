/**
 * One key for all addresses of a page: with or without `www.`, a trailing slash, a fragment or tracking parameters, it is
 * the same page. For comparison only; a page is opened at the address that was given.
 */

/** Tracking parameters of advertisers and newsletters. */
const trackingParameter =
  /^(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_cid|mc_eid|igshid|ref_src|_hsenc|_hsmi|cmpid)$/i;

/** Host, path and sorted query of an address, without the scheme. Undefined if it is not an http(s) URL. */
export function canonicalUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const kept = [...url.searchParams]
    .filter(([name]) => !trackingParameter.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const host = url.host.replace(/^www\./, '').replace(/\.(?=:|$)/, '');
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, '');
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `${host}${path}${query}`;
}
