/**
 * PubMed by NCBI's E-utilities: one request finds the ids, a second returns what they are. Without a key it allows three
 * requests a second, with one ten.
 */
import * as z from 'zod';
import { userAgent } from '../fetch/fetch.ts';
import {
  answerOf,
  endpoint,
  hitOf,
  mayHold,
  optionalText,
  type ProviderAdapter,
  ProviderError,
  type ProviderRequest,
  rowsOf,
} from './adapter.ts';
import { keywordsOf } from './keywords.ts';

const Ids = z.object({
  esearchresult: z.object({ idlist: rowsOf(z.string().regex(/^\d{1,12}$/)), ERROR: optionalText }),
});
const Row = z.object({
  title: optionalText,
  fulljournalname: optionalText,
  sortpubdate: optionalText,
  authors: rowsOf(z.object({ name: z.string() })).catch([]),
});
const Summaries = z.object({
  result: z.looseObject({ uids: rowsOf(z.string().regex(/^\d{1,12}$/)) }),
});
const host = 'pubmed.ncbi.nlm.nih.gov';

/** The adapter for PubMed; `baseUrl` is that of the E-utilities. `intervalMs` is the time between requests. */
export function pubmed(options: {
  readonly baseUrl: string;
  readonly key?: string | undefined;
  readonly intervalMs?: number;
}): ProviderAdapter {
  const { baseUrl, key, intervalMs = key === undefined ? 350 : 110 } = options;
  const ask = (call: string, parameters: Readonly<Record<string, string>>): ProviderRequest => {
    const url = endpoint(baseUrl, call);
    const all = { db: 'pubmed', retmode: 'json', tool: 'citewire', ...parameters };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    if (key !== undefined) url.searchParams.set('api_key', key);
    return { url: url.href, init: { headers: { 'user-agent': userAgent } } };
  };
  return {
    name: 'pubmed',
    pace: { intervalMs, maxWaiting: 8 },
    request({ text, limit, rules, from, to }) {
      const words = keywordsOf(text, 12);
      if (words.length === 0 || !mayHold(rules, host)) return undefined;
      const day = (date: string) => date.slice(0, 10).replaceAll('-', '/');
      // The API takes both ends or none.
      const dates = { datetype: 'pdat', mindate: day(from ?? '1800-01-01'), maxdate: day(to ?? '2999-12-31') };
      const isDated = from !== undefined || to !== undefined;
      const term = words.join(' ');
      return ask('esearch.fcgi', {
        term,
        retmax: String(Math.min(limit, 20)),
        sort: 'relevance',
        ...(isDated ? dates : {}),
      });
    },
    follow(response) {
      const { idlist, ERROR } = answerOf(Ids, response).esearchresult;
      if (ERROR !== undefined) throw new ProviderError('it rejected the query.', { isOfQuery: true });
      return idlist.length === 0 ? undefined : ask('esummary.fcgi', { id: idlist.join(',') });
    },
    parse(response) {
      const { result } = answerOf(Summaries, response);
      return result.uids.flatMap((uid) => {
        const row = Row.safeParse(result[uid]).data;
        if (row === undefined) return [];
        const authors = row.authors.slice(0, 3).map(({ name }) => name);
        const snippet = [...authors, row.fulljournalname].filter((each) => each !== undefined).join(', ');
        return hitOf(`https://${host}/${uid}/`, row.title, snippet, row.sortpubdate) ?? [];
      });
    },
  };
}
