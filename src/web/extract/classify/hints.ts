/**
 * Hints from the names that authors give elements and from common phrases. A hint is a feature of the classifier, never a
 * decision. All lists were written by hand; their names and order are part of the model.
 */
import { splitCamelCase } from '../../../base/text/names/camel-case.ts';
import { type HtmlElement, nameOf } from '../html/html-tree.ts';

/** Matched against class, id and custom tag, lower case. */
export const nameHints = {
  content: /article|content|entry|story|post-?body|rich-?text|prose|markdown|wysiwyg|\brte\b|copy\b/,
  body: /body|text|main/,
  post: /\bpost|blog|news/,
  nav: /nav|menu|breadcrumb|crumbs|toolbar|skip/,
  footer: /foot|bottom|copyright|legal|colophon/,
  header: /header|masthead|banner|\btop/,
  side: /side|aside|\brail\b|widget|secondary|complementary/,
  comment: /comment|disqus|respond/,
  related:
    /relat|recommend|popular|trending|more-|also|similar|upsell|cross-?sell|recirc|suggest|next-?up|latest|teaser/,
  share: /shar|social|follow|sns|\btweet/,
  ad: /\bads?\b|\bad-|advert|sponsor|promo|outbrain|taboola|dfp|affiliate/,
  consent: /cookie|consent|gdpr|modal|popup|pop-up|overlay|dialog|lightbox|drawer|offcanvas|toast|alert|notice/,
  signup: /subscri|newsletter|sign-?up|\bcta|call-to-action|optin|mailchimp|paywall|login|register|donat/,
  byline: /author|byline|\bmeta|date|time|publish|\bbio\b|avatar|credit/,
  tags: /\btag|categor|topic|label|keyword/,
  product: /product|price|sku|variant|add-to|cart|buy|swatch|gallery|shipping|stock/,
  details: /spec|detail|descri|feature|summary|overview|attribute/,
  review: /review|rating|star|testimonial|quote/,
  thread: /thread|message|topic|forum|answer|question|reply|discussion|\bqa\b|posttext|cooked/,
  card: /card|tile|grid|item|col-|listing|result|slide|carousel|swiper|slick/,
  list: /list|collection|archive|feed|catalog/,
  hero: /hero|jumbotron|intro|lead|lede|headline|title|heading/,
  service: /service|about|team|faq|pricing|benefit|partner|client|process|accordion|tab/,
  caption: /caption|figure|image|photo|media|video|embed/,
  hidden: /hidden|sr-only|screen-reader|visually|collapse|d-none|invisible|a11y|print/,
  code: /code|highlight|syntax|snippet|terminal|example/,
  toc: /\btoc\b|table-of-contents|contents-|on-this-page|outline|index/,
  search: /search|filter|facet|sort|pagin|pager|refine/,
  section: /section|container|wrapper|block|module|row|component|region/,
} as const;

/** Tags, and ARIA roles with the same meaning. */
const tagHints = {
  article: 'article',
  main: 'main',
  in_section: 'section',
  aside: 'aside complementary',
  in_nav: 'nav navigation menu menubar',
  page_header: 'header banner',
  page_footer: 'footer contentinfo',
  form: 'form search',
  figure: 'figure',
  table: 'table',
  in_list: 'ul ol list',
  quote: 'blockquote',
  definition: 'dl',
  folded: 'details tabpanel',
  control: 'button label summary tab fieldset legend select',
  link: 'a',
  dialog: 'dialog alertdialog alert',
  noscript: 'noscript',
} as const;

/** Matched against the text of a block, lower case. */
export const phraseHints = {
  says_consent: /cookie|consent|gdpr|personal data/,
  says_legal: /privacy policy|terms (of|and|&)|all rights reserved|copyright|©|trademark|disclaimer/,
  says_social: /\b(share|tweet|facebook|twitter|linkedin|instagram|pinterest|whatsapp|youtube|follow us)\b/,
  says_subscribe:
    /subscri|newsletter|sign up|sign in|log ?in|register|your (e-?)?mail|join (us|now|free)|create (an )?account/,
  says_more:
    /^(read|learn|see|view|show|find out|load|discover|explore|shop|get)( \w+)? (more|all|now|started|details)|continue reading|click here|read more|learn more/,
  says_reply: /\b(repl(y|ies)|likes?|report|quote|upvotes?|votes?|permalink|comments?)\b/,
  says_buy:
    /add to (cart|bag|basket|wish)|in stock|out of stock|sold out|free shipping|checkout|wishlist|quantity|\bsku\b/,
  says_page:
    /^(page \d+|next|prev(ious)?|older|newer|back|home|menu|search|close|skip|top|contents?)\b|back to top|skip to/,
  says_byline: /^(by|posted|published|updated|written by|author|last (updated|modified))\b|min(ute)?s? read|\bago\b/,
  says_related:
    /related|recommended|you (may|might) (also )?|also like|more from|more in|popular|trending|see also|latest (news|posts|articles)|recent posts|similar|customers also/,
  says_rating: /\breviews?\b|\bratings?\b|\bstars?\b|out of 5/,
  says_tags: /^(tags?|categor(y|ies)|filed under|topics?|posted in)\b/,
  says_ad: /advertis|sponsored|affiliate|promoted/,
  says_contact: /contact us|call us|get in touch|free (quote|consultation|trial)|book (a|now|your)|schedule|request a/,
  has_price: /[$€£¥₹]\s?\d|\d\s?(€|usd|eur|zł|kr\b)/,
  has_date:
    /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b|\b\d{1,2} (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b(19|20)\d\d-\d\d/,
  has_phone: /\+?\(?\d{2,4}\)?[ -.]\d{3,4}[ -.]\d{3,4}|@[\w-]+\.\w+/,
} as const;

export type NameHint = keyof typeof nameHints;
export type TagHint = keyof typeof tagHints;
export type PhraseHint = keyof typeof phraseHints;

export const nameHintNames = Object.keys(nameHints) as NameHint[];
export const tagHintNames = Object.keys(tagHints) as TagHint[];
export const phraseHintNames = Object.keys(phraseHints) as PhraseHint[];

const tagHintOf = new Map<string, number>();
for (const [at, name] of tagHintNames.entries()) for (const tag of tagHints[name].split(' ')) tagHintOf.set(tag, at);

/** The index in `tagHintNames`, by role first, then by tag; -1 for none. */
export function tagHintAt(element: HtmlElement): number {
  const role = element.attribs.role;
  return (role === undefined ? undefined : tagHintOf.get(role)) ?? tagHintOf.get(element.name) ?? -1;
}

/** A function that returns an element's name hints, bit n for `nameHintNames[n]`; cached, because pages repeat their names. */
export function nameHintReader(): (element: HtmlElement) => number {
  const seen = new Map<string, number>();
  return (element) => {
    const name = nameOf(element);
    let bits = seen.get(name);
    if (bits === undefined) {
      // "articleBody" is read as "article-body".
      const lower = splitCamelCase(name, '-').toLowerCase();
      bits = 0;
      for (const [at, hint] of nameHintNames.entries()) if (nameHints[hint].test(lower)) bits |= 1 << at;
      seen.set(name, bits);
    }
    return bits;
  };
}
