/** Forms as models fill them in: right values in odd types, wrong values with quotes, and everything but a form. */
import { type Behaviour, pieceAbout, says } from './behaviour.ts';
import { type FilledLeaf, fillForm } from './form.ts';

type Change = (key: string, leaf: FilledLeaf) => FilledLeaf;

const changed = (change: Change): Behaviour => says({ fill: (call) => fillForm(call, change) });
const values =
  (replaced: Record<string, unknown>, more: Partial<FilledLeaf> = {}): Change =>
  (key, leaf) =>
    key in replaced ? { ...leaf, ...more, value: replaced[key] } : leaf;
/** These values, with this evidence for every field. */
const borrowed =
  (list: Record<string, unknown>, evidence: number, quote: string): Change =>
  (key) => ({
    value: list[key] ?? null,
    evidence,
    quote,
  });

export const forms: Record<string, Behaviour> = {
  's-million': says({}),
  's-numstr': changed((_, leaf) => ({
    ...leaf,
    value:
      typeof leaf.value === 'number'
        ? leaf.value.toLocaleString('en')
        : typeof leaf.value === 'boolean'
          ? String(leaf.value)
          : leaf.value,
  })),
  's-numunit': changed(
    values({ length_m: '1,940 metres', span_m: 'about 482 m', cost: '12 million crowns', year: 'May 1931' }),
  ),
  's-missing': says({
    fill: (call) => {
      const { engineer: _, year: __, ...rest } = JSON.parse(fillForm(call)) as Record<string, unknown>;
      return JSON.stringify(rest);
    },
    repair: (call) =>
      JSON.stringify({
        fields: [
          {
            path: '/engineer',
            value: 'Ada Lindqvist',
            evidence: pieceAbout(call, /engineer Ada/),
            quote: 'designed by the engineer Ada Lindqvist',
          },
          { path: '/year', value: '1931', evidence: pieceAbout(call, /14 May 1931/), quote: 'opened on 14 May 1931' },
        ],
      }),
  }),
  's-extra': says({
    fill: (call) => {
      const form = JSON.parse(fillForm(call)) as Record<string, unknown>;
      const thoughts = { value: 'x', evidence: 1, quote: 'y' };
      return JSON.stringify({ thoughts, ...form, secret: 'sk-SECRET', __proto__x: 1, constructor: { value: 'a' } });
    },
  }),
  's-bare': says({ fill: (call) => JSON.stringify(bare(JSON.parse(fillForm(call)))) }),
  's-wrap': says({ fill: (call) => `{"answer":${fillForm(call)}}` }),
  's-fakequote': changed(
    borrowed(
      {
        name: 'Marlow Strait Bridge',
        engineer: 'Per Nystrom',
        year: 2022,
        length_m: 12,
        span_m: 7,
        cost: 300,
        vehicles: 3,
        toll: true,
        opened: '2 June 1931',
        architect_shoe_size: 40,
        colour: 'red',
        dogs_allowed: true,
      },
      1,
      'these words stand nowhere at all in any page',
    ),
  ),
  's-anyquote': says({
    fill: (call) =>
      fillForm(
        call,
        borrowed(
          {
            engineer: 'Queen Ingrid',
            year: 1968,
            length_m: 482,
            toll: true,
            dogs_allowed: true,
            architect_shoe_size: 96,
            name: 'Ingrid Marlow',
            colour: 'red',
          },
          pieceAbout(call, /cantilever/) ?? 1,
          'the',
        ),
      ),
  }),
  // Words that stand on the page, and are about something else.
  's-otherquote': says({
    fill: (call) =>
      fillForm(
        call,
        borrowed(
          {
            name: 'Ingrid Bridge',
            engineer: 'Queen Ingrid',
            opened: '2 June 1931',
            year: 1968,
            length_m: 3,
            cost: 7,
            toll: true,
            dogs_allowed: true,
            vehicles: 12,
            colour: 'red',
          },
          pieceAbout(call, /opened on 14 May 1931 by Queen/) ?? 1,
          'a steel cantilever bridge between the towns of Marlow and Eastness',
        ),
      ),
  }),
  's-enum': changed(
    values({
      toll: 'NO',
      dogs_allowed: 'forbidden',
      name: ['Marlow Strait Bridge'],
      engineer: { first: 'Ada' },
      year: '1931-05-14',
    }),
  ),
  's-prose': says({ fill: () => 'The Marlow Strait Bridge was designed by Ada Lindqvist and opened in 1931.' }),
  's-truncated': (call) => {
    const text = fillForm(call);
    return call.kind === 'fill' ? { text: text.slice(0, text.length / 2), finish: 'length' } : says({})(call, 1);
  },
};

function bare(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if ('value' in node) return node.value;
  if (Array.isArray(node)) return node.map(bare);
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, bare(child)]));
}
