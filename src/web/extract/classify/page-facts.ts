/** The kind of page, as features that all its blocks share. */
import type { Block } from '../html/blocks.ts';
import { headingLevel } from '../html/markdown.ts';
import type { Metadata } from '../metadata.ts';
import type { describeElements } from './element-facts.ts';
import { nameHintNames } from './hints.ts';
import type { TextFacts } from './text-facts.ts';

export interface PageFacts {
  /** In the order of `pageFactNames`. */
  readonly values: readonly number[];
  readonly chars: number;
}

const typeGroups = {
  article: /^(news|blog|tech|scholarly|report|opinion)?\s?\w*(article|posting|report)$/,
  product: /^(product|productgroup|offer|aggregateoffer)$/,
  thread: /^(qapage|question|discussionforumposting|comment|answer)$/,
  listing: /^(itemlist|collectionpage|searchresultspage|offercatalog|jobposting)$/,
  faq: /^faqpage$/,
  business: /^(organization|localbusiness|service|professionalservice|corporation|softwareapplication)$/,
  howto: /^(howto|recipe|course|event|techarticle)$/,
  webpage: /^(webpage|website|breadcrumblist)$/,
};
const sharedNames = [
  'content',
  'post',
  'comment',
  'product',
  'thread',
  'card',
  'service',
  'code',
  'related',
  'hero',
  'list',
  'toc',
] as const;
const pathHints = {
  article: /\/(blog|news|article|stories|story|posts?|\d{4}\/\d{2})\b/,
  docs: /\/(docs?|documentation|guide|manual|reference|api|wiki|tutorial|learn|help)\b/,
  product: /\/(product|products|p|item|dp|shop|store)\b/,
  thread:
    /\/(forum|forums|thread|threads|t|topic|topics|questions|viewtopic|showthread|discussion|comments|community)\b/,
  listing: /\/(category|categories|tag|collections?|archive|search|jobs|listings?|c)\b/,
  service: /\/(services?|about|contact|pricing|solutions|features)\b/,
};

export const pageFactNames: readonly string[] = [
  'chars',
  'blocks',
  'link_density',
  'long_share',
  'long_blocks',
  'mean_chars',
  'headings',
  'h2s',
  'h1s',
  'items',
  'rows',
  'codes',
  'prices',
  'dates',
  'replies',
  'buys',
  'bylines',
  'questions',
  'top_share',
  'articles',
  'mains',
  ...sharedNames.map((name) => `in_${name}`),
  ...Object.keys(typeGroups).map((name) => `type_${name}`),
  'og_article',
  'og_product',
  'og_website',
  'dated',
  'path_depth',
  'path_dashes',
  ...Object.keys(pathHints).map((name) => `path_${name}`),
];

/** The features that all blocks of a page share, in the order of `pageFactNames`. */
export function readPageFacts(
  blocks: readonly Block[],
  texts: readonly TextFacts[],
  elements: ReturnType<typeof describeElements>,
  metadata: Metadata,
): PageFacts {
  const sum = (of: (block: Block, text: TextFacts) => number) =>
    blocks.reduce((total, block, at) => total + of(block, texts[at]!), 0);
  const chars = sum(({ chars: size }) => size) || 1;
  const count = blocks.length || 1;
  const logCount = (name: keyof TextFacts['phrases']) => Math.log1p(sum((_, text) => text.phrases[name]));
  const at = sharedNames.map((name) => nameHintNames.indexOf(name));
  const shared = at.map(
    (index) => sum((block) => (elements.of(block.element).names[index]! >= 0 ? block.chars : 0)) / chars,
  );
  const tagged = (tag: string) =>
    new Set(blocks.map(({ element }) => nearest(element, tag)).filter((e) => e !== undefined)).size;
  const types = [...metadata.types];
  const path = URL.canParse(metadata.canonical_url ?? '')
    ? new URL(metadata.canonical_url!).pathname.toLowerCase()
    : '';
  return {
    chars,
    values: [
      Math.log1p(chars),
      Math.log1p(blocks.length),
      sum(({ linkChars }) => linkChars) / chars,
      sum(({ chars: size }, { isLong }) => (isLong ? size : 0)) / chars,
      Math.log1p(sum((_, { isLong }) => (isLong ? 1 : 0))),
      Math.log1p(chars / count),
      Math.log1p(sum(({ element }) => (headingLevel(element) > 0 ? 1 : 0))),
      Math.log1p(sum(({ element }) => (headingLevel(element) === 2 ? 1 : 0))),
      Math.log1p(sum(({ element }) => (headingLevel(element) === 1 ? 1 : 0))),
      sum(({ element, chars: size }) => (element.name === 'li' ? size : 0)) / chars,
      Math.log1p(sum(({ kind }) => (kind === 'row' ? 1 : 0))),
      Math.log1p(sum(({ kind }) => (kind === 'code' ? 1 : 0))),
      logCount('has_price'),
      logCount('has_date'),
      logCount('says_reply'),
      logCount('says_buy'),
      logCount('says_byline'),
      sum(({ text }) => (text.endsWith('?') ? 1 : 0)) / count,
      elements.top === undefined ? 0 : elements.of(elements.top).chars / chars,
      Math.log1p(tagged('article')),
      tagged('main'),
      ...shared,
      ...Object.values(typeGroups).map((pattern) => (types.some((type) => pattern.test(type)) ? 1 : 0)),
      metadata.og_type.startsWith('article') ? 1 : 0,
      metadata.og_type.startsWith('product') || metadata.og_type === 'og:product' ? 1 : 0,
      metadata.og_type === 'website' ? 1 : 0,
      metadata.published_at === undefined ? 0 : 1,
      path.split('/').filter((part) => part !== '').length,
      Math.log1p(
        (
          path
            .split('/')
            .filter((part) => part !== '')
            .at(-1) ?? ''
        ).split('-').length - 1,
      ),
      ...Object.values(pathHints).map((pattern) => (pattern.test(`${path}/`) ? 1 : 0)),
    ],
  };
}

function nearest(element: Block['element'], tag: string): Block['element'] | undefined {
  for (let at: Block['element'] | undefined = element; at !== undefined; at = at.parent) if (at.name === tag) return at;
  return undefined;
}
