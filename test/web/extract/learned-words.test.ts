/** What pages call their parts and themselves: the words that are read, and the scores that are learned for them. */
import { describe, expect, it } from 'vitest';
import { labelWordReader } from '../../../src/web/extract/classify/label-words.ts';
import { namesOf, wordsIn } from '../../../src/web/extract/classify/lexicon.ts';
import { kindFeaturesOf, pageKinds, selfDescription } from '../../../src/web/extract/classify/page-kinds.ts';
import { segment } from '../../../src/web/extract/html/blocks.ts';
import { parseHtml } from '../../../src/web/extract/html/html-tree.ts';
import { readMetadata } from '../../../src/web/extract/metadata.ts';
import { learnKinds } from '../../../tools/training/extraction/learn-kinds.ts';
import { learnLexicon } from '../../../tools/training/extraction/learn-lexicon.ts';

const blocksOf = (html: string) => segment(parseHtml(html).root).blocks;
const prose = 'The boats came in before noon, and nobody on the quay could say why they had turned back so early.';

describe('the words of labels', () => {
  it('gives a heading and a short block their words, and a paragraph those of the heading above it', () => {
    const blocks = blocksOf(`<h3>2 Comments</h3><p>${prose}</p><p>Reply</p>`);
    const [heading, paragraph, next] = [0, 1, 2].map(labelWordReader(blocks));
    expect(heading).toEqual({ own: ['own:#', 'own:comments', 'own:# comments'], under: [] });
    expect(paragraph).toEqual({ own: [], under: ['under:#', 'under:comments', 'under:# comments'] });
    expect(next!.own).toEqual(['own:reply']);
  });

  it('reads the names of elements whose class names are generated', () => {
    const [block] = blocksOf('<div class="c-x9" data-testid="relatedStories" itemprop="comment"><p>Ice</p></div>');
    expect(wordsIn(namesOf(block!.element.parent!))).toEqual(['related', 'stories', 'comment']);
  });
});

describe('learned words', () => {
  const hosts = Array.from({ length: 12 }, (_, at) => `${at}.test`);
  const [content, other] = blocksOf(`<div class="story">${prose}</div><div class="promo">${prose}</div>`);
  const labels = { own: [], under: ['under:related'] };
  const examples = hosts.flatMap((host) => [
    { host, element: content!.element, labels: { own: [], under: [] }, words: 20, label: 1 },
    { host, element: other!.element, labels, words: 20, label: 0 },
  ]);

  it('scores words around content above those around the rest', () => {
    const { whole } = learnLexicon(examples);
    expect(whole.story).toBeGreaterThan(0);
    expect(whole.promo).toBeLessThan(0);
    expect(whole['under:related']).toBeLessThan(0);
  });

  it('leaves out the votes of a host on its own pages', () => {
    const odd = { host: 'odd.test', element: other!.element, labels, words: 20, label: 1 };
    const lexicon = learnLexicon([...examples, odd]);
    expect(lexicon.whole.promo).toBeGreaterThan(lexicon.without('odd.test').get('promo')!);
    expect(lexicon.without('odd.test').get('promo')).toBe(learnLexicon(examples).whole.promo);
  });

  it('tells the kind of a page of an unseen host by how it describes itself', () => {
    const described = (type: string, title: string) => {
      const html = `<html><head><title>${title}</title></head><body class="${type}-view"><p>${prose}</p></body></html>`;
      const tree = parseHtml(html);
      return selfDescription(segment(tree.root).blocks, readMetadata(tree, 'https://bench.invalid/page'));
    };
    const pages = hosts.flatMap((host) => [
      { host, type: 'forum', description: described('thread', 'Leaking hatch') },
      { host, type: 'product', description: described('shop', 'Brass hatch') },
    ]);
    const { without } = learnKinds(pages);
    const kind = kindFeaturesOf(described('thread', 'Rusty keel'), without('0.test'));
    expect(pageKinds[kind.indexOf(Math.max(...kind))]).toBe('forum');
    expect(kind.reduce((sum, logProbability) => sum + Math.exp(logProbability), 0)).toBeCloseTo(1, 9);
    expect(() => learnKinds([{ host: '0.test', type: 'poster', description: [] }])).toThrow('Expected a kind of page');
  });
});
