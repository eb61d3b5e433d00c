/**
 * The kind of source that an address belongs to, read from its host and path alone: cheap, and the same for a hit that was not
 * opened yet as for the page. Most addresses have no kind. A page cannot claim one: nothing of its text is looked at.
 */

import type { SourceKind } from '../../../../protocol/index.ts';

/** Hosts by kind, with all hosts below them; set by hand, those that search engines list most. */
const hosts: Record<SourceKind, readonly string[]> = {
  official: words(`europa.eu admin.ch gob.mx who.int un.org oecd.org imf.org worldbank.org ietf.org rfc-editor.org
    w3.org iso.org arxiv.org doi.org ncbi.nlm.nih.gov nature.com science.org developer.mozilla.org nodejs.org python.org`),
  reference: words(`wikipedia.org wikidata.org wiktionary.org britannica.com ourworldindata.org merriam-webster.com
    larousse.fr duden.de treccani.it brockhaus.de statista.com stanford.edu/entries openstreetmap.org`),
  news: words(`reuters.com apnews.com afp.com bbc.com bbc.co.uk theguardian.com nytimes.com washingtonpost.com wsj.com ft.com
    economist.com bloomberg.com cnn.com npr.org aljazeera.com dw.com spiegel.de zeit.de faz.net sueddeutsche.de tagesschau.de
    lemonde.fr lefigaro.fr elpais.com elmundo.es corriere.it repubblica.it nrc.nl nzz.ch orf.at asahi.com nhk.or.jp
    techcrunch.com theverge.com arstechnica.com heise.de axios.com politico.com`),
  forum:
    words(`reddit.com quora.com stackexchange.com stackoverflow.com superuser.com serverfault.com news.ycombinator.com
    gutefrage.net zhihu.com tripadvisor.com facebook.com x.com twitter.com answers.com yahoo.com/answers discord.com t.me`),
  blog: words(`medium.com substack.com wordpress.com blogspot.com tumblr.com hashnode.dev dev.to ghost.io blogger.com
    livejournal.com typepad.com note.com`),
};

const labels: readonly (readonly [SourceKind, RegExp])[] = [
  ['forum', /^(?:forums?|foren|foro|community|discuss|discussions?|boards?|answers)$/],
  ['blog', /^blogs?$/],
  ['official', /^(?:docs?|developers?|gov|gouv|gob|govt|mil|int)$/],
  ['reference', /^(?:wiki|encyclopedia|enzyklopaedie|dictionary|edu)$/],
  ['news', /^(?:news|nachrichten|noticias|actualites?)$/],
];
/** The first folders of a path. */
const folders: readonly (readonly [SourceKind, RegExp])[] = [
  ['forum', /^\/(?:[a-z]{2}\/)?(?:forums?|threads?|community|discussions?|viewtopic|questions)(?:[./]|$)/],
  ['blog', /^\/(?:[a-z]{2}\/)?(?:blogs?)(?:\/|$)/],
  ['reference', /^\/wiki\//],
  ['news', /^\/(?:[a-z]{2}\/)?news\/|\/(?:19|20)\d\d\/(?:0?[1-9]|1[0-2])\//],
];

const kindOfHost = new Map<string, SourceKind>();
for (const [kind, list] of Object.entries(hosts)) for (const host of list) kindOfHost.set(host, kind as SourceKind);

/** Characters of a path that are read. */
const maxPath = 200;
/** Letters of the shortest name by which a site is the subject's own. */
const minName = 4;

/**
 * The kind of a page; undefined if its address does not tell. `asked` are the words of the question: a site that has one of its
 * names is the subject's own.
 */
export function sourceKindOf(address: string, asked: ReadonlySet<string> = new Set()): SourceKind | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const host = hostname.replace(/^www\./, '');
  const parts = host.split('.');
  const folder = pathname.slice(0, maxPath).toLowerCase();
  for (let at = 0; at < parts.length - 1; at += 1) {
    const parent = parts.slice(at).join('.');
    const known = kindOfHost.get(parent) ?? kindOfHost.get(`${parent}/${folder.split('/')[1]}`);
    if (known !== undefined) return known;
  }
  const label = labels.find(([, is]) => parts.some((part) => is.test(part)))?.[0];
  if (label === 'forum' || label === 'blog') return label;
  const inFolder = folders.find(([, is]) => is.test(folder))?.[0];
  if (inFolder === 'forum') return inFolder;
  const owner = parts.at(-2)?.replaceAll('-', '') ?? '';
  if (owner.length >= minName && asked.has(owner)) return 'official';
  return inFolder ?? label;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
