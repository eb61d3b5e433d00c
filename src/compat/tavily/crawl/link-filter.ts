/**
 * Which links a crawl follows, by the regular expressions of its caller. All of them together are run for so long: a caller must not
 * hold the process.
 */
import type { TavilyMapRequest } from '../../../../protocol/index.ts';
import { preview } from '../../../../protocol/preview.ts';
import { invalid } from '../../../base/errors.ts';
import { compilePattern, type TextTest } from '../../../base/values/linear-patterns.ts';

type Asked = Pick<
  TavilyMapRequest,
  'select_paths' | 'exclude_paths' | 'select_domains' | 'exclude_domains' | 'allow_external'
>;
type ListName = Exclude<keyof Asked, 'allow_external'>;

/** For all links of a crawl together, in milliseconds of the process; set by hand, a thousand times what usual patterns take. */
const maxMs = 1_000;
/** Longer addresses are not followed; set by hand. */
const maxCharacters = 1_000;

/** Whether a crawl that begins at `base` follows a link. Rejects with a 400 for an expression that RE2 does not know. */
export async function createLinkFilter(base: URL, asked: Asked): Promise<(link: URL) => boolean> {
  const lists = {
    paths: { select: await compile('select_paths', asked), exclude: await compile('exclude_paths', asked) },
    hosts: { select: await compile('select_domains', asked), exclude: await compile('exclude_domains', asked) },
  };
  const siteOf = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  const fits = ({ select, exclude }: typeof lists.paths, text: string) =>
    (select.length === 0 || select.some((test) => test(text))) && !exclude.some((test) => test(text));
  let spent = 0;

  return (link) => {
    if (!/^https?:$/.test(link.protocol) || link.href.length > maxCharacters) return false;
    const isExternal = siteOf(link) !== siteOf(base);
    if (isExternal && asked.allow_external !== true && lists.hosts.select.length === 0) return false;
    const begun = performance.now();
    const isFollowed = fits(lists.hosts, link.hostname) && fits(lists.paths, link.pathname);
    spent += performance.now() - begun;
    if (spent > maxMs) throw invalid(['body'], 'expected patterns that are quicker to match', 'value_error');
    return isFollowed;
  };
}

async function compile(name: ListName, asked: Asked): Promise<TextTest[]> {
  const tests = (asked[name] ?? []).map(async (pattern, at) => {
    try {
      return await compilePattern(pattern);
    } catch (error) {
      const msg = `expected a regular expression of RE2; got ${preview(pattern)} (${(error as Error).message})`;
      throw invalid(['body', name, at], msg, 'value_error');
    }
  });
  return Promise.all(tests);
}
