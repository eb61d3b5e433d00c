/** What the rest of a page, and what stands next to what, tell a model of claims. */
import { expect, it } from 'vitest';
import { readClaim, readSource } from '../../../../../src/engine/writing/support/check-claim.ts';
import { findClosest } from '../../../../../src/engine/writing/support/closest-sentences.ts';
import { pageFeatureNames, pageFeatures } from '../../../../../src/engine/writing/support/judgement/page-features.ts';

/** The features of a claim beside the sentence of a page that shares most with it, by their names. */
function featuresOf(claim: string, text: string): Readonly<Record<string, number>> {
  const page = readSource(text, '', '');
  const said = readClaim(claim, page.names);
  const features = pageFeatures(said, findClosest(said, page)[0]!, page);
  expect(features).toHaveLength(pageFeatureNames.length);
  return Object.fromEntries(pageFeatureNames.map((name, at) => [name, features[at]!]));
}

const ferry =
  'The ferry carries 240 passengers and crosses the strait daily. Fog is rare. Winters are mild. The new tunnel will be opened by the minister.';

it('tells words of another sentence from words that are nowhere', () => {
  expect(featuresOf('The ferry that crosses the strait daily was opened by the minister.', ferry)).toMatchObject({
    'words elsewhere': 2,
    'words nowhere': 0,
    'most in another sentence': 2,
    'share on the page': 1,
  });
  expect(featuresOf('The ferry that crosses the strait daily was christened by an admiral.', ferry)).toMatchObject({
    'words elsewhere': 0,
    'words nowhere': 2,
    'most in another sentence': 0,
  });
});

it('tells figures of another sentence from figures that are nowhere', () => {
  const text = 'The ferry crosses the strait daily. The tunnel is 900 metres long.';
  expect(featuresOf('The ferry crosses the strait 900 times.', text)).toMatchObject({
    'figures elsewhere': 1,
    'figures nowhere': 0,
  });
  expect(featuresOf('The ferry crosses the strait 800 times.', text)).toMatchObject({
    'figures elsewhere': 0,
    'figures nowhere': 1,
  });
});

it('knows names of other sentences', () => {
  const text =
    'The first prize of the summer contest for new songs went to Lene Holm. The jury was led by Karim Noor of Ostria.';
  expect(featuresOf('The first prize of the summer contest for new songs went to Karim Noor.', text)).toMatchObject({
    'names elsewhere': 2,
    'names nowhere': 0,
  });
  expect(featuresOf('The first prize of the summer contest for new songs went to Petra Gall.', text)).toMatchObject({
    'names elsewhere': 0,
    'names nowhere': 2,
  });
});

it('finds words of the same derivation', () => {
  const text = 'The tenant pays for the repairs of the roof.';
  expect(featuresOf('The repairs of the roof are part of the tenancy.', text)['words of the same derivation']).toBe(1);
  expect(featuresOf('The repairs of the roof are part of the invoice.', text)['words of the same derivation']).toBe(0);
});

it('sees that another figure of the source is nearer to a word of the claim', () => {
  const text = 'The lamp comes on after 800 cups, and the pump stops after 300 cups.';
  const right = featuresOf('The pump stops after 300 cups.', text);
  const wrong = featuresOf('The pump stops after 800 cups.', text);
  expect(right['figures nearer']).toBe(0);
  expect(wrong['figures nearer']).toBeGreaterThan(0);
  expect(wrong['distance of figures']).toBeGreaterThan(right['distance of figures']!);
  expect(wrong['figures in another clause']).toBeGreaterThan(right['figures in another clause']!);
});

it('sees that another name of the source is nearer to a word of the claim', () => {
  const text = 'The ceiling was painted by Holm, while the floor was laid by Brandt.';
  expect(featuresOf('The ceiling was painted by Holm.', text)['names nearer']).toBe(0);
  expect(featuresOf('The ceiling was painted by Brandt.', text)['names nearer']).toBeGreaterThan(0);
});
