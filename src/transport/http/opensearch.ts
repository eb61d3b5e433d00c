/** The chat as a search engine that browsers can add: `/?q=…` asks the question (OpenSearch 1.1). */
import type { Headers } from '../exchange.ts';
import { defaultHeaders } from './context.ts';

export const openSearchHeaders: Headers = {
  ...defaultHeaders,
  'content-type': 'application/opensearchdescription+xml; charset=utf-8',
};

/** The description as XML. `baseUrl` comes from the request, so it is escaped. */
export function openSearchDescription(baseUrl: string): string {
  const base = escapeXml(baseUrl);
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Citewire</ShortName>
  <Description>Answers with citations that can be checked</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Url type="text/html" method="get" template="${base}/?q={searchTerms}"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${base}/opensearch.xml"/>
</OpenSearchDescription>
`;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
