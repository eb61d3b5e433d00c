/**
 * Derives from the name and type of a template's leaf what value to look for: `default_ms` is a number of milliseconds
 * near the word "default", `author` a name, `summary` a sentence.
 */
import type { Leaf } from '../../../engine/ports/model.ts';
import type { QuestionKind } from '../question/analyse.ts';
import { unitOf } from '../text/values.ts';
import { readWords, stemOf } from '../text/words.ts';

/** The kind of text or value that a field takes. */
export type Role = 'number' | 'boolean' | 'sentence' | 'code' | 'block' | 'date' | 'name' | 'address' | 'phrase';

export interface Field {
  /** JSON pointer of the leaf, with `-` for an element of an array. */
  readonly path: string;
  readonly role: Role;
  readonly type: Leaf['type'];
  /** Stems to find near the value; those of units and of generic names such as `value` are left out. */
  readonly stems: readonly string[];
  /** The unit to return the value in, as `unitOf` names it, or ''. */
  readonly unit: string;
  readonly wantsYear: boolean;
}

const roles: readonly (readonly [Role, string])[] = [
  [
    'sentence',
    'summary description answer explanation detail details definition reason quote text note notes how why meaning content overview abstract background context steps instructions usage purpose rationale evidence fact statement',
  ],
  ['block', 'code snippet example sample'],
  [
    'code',
    'option parameter param property prop method function class flag command setting api package module variable field header event type key env argument constant identifier syntax symbol attribute keyword interface library',
  ],
  [
    'date',
    'date when published born died birthday day month year founded established released started ended time period century updated',
  ],
  ['address', 'url link uri website homepage href'],
  [
    'name',
    'name author person who director founder city country capital location place organization organisation company team president actor actress artist singer band writer state title winner leader inventor owner ceo publisher language nationality region river species',
  ],
];

/** Stems of names that say nothing about a value. */
const genericStems = new Set(
  'is has are was can does do the of a an value result default_value number count total amount'.split(' ').map(stemOf),
);

/** The field for a leaf. The kind of question decides where the name says nothing, as with `value`. */
export function readField({ path, type }: Leaf, kind: QuestionKind): Field {
  const key = lastKey(path);
  const words = key.split(/[^\p{L}\p{N}%$]+|(?<=[a-z0-9])(?=[A-Z])/u).filter(Boolean);
  const unit = words.map(unitOf).filter(Boolean).at(-1) ?? '';
  const stems = readWords(words.filter((word) => unitOf(word) === '').join(' ')).map((word) => word.stem);
  const wantsYear =
    words.some((word) => /^(?:year|yr)s?$/i.test(word)) || (kind === 'year' && type === 'number' && unit === '');
  return {
    path,
    type,
    role: type === 'string' ? roleOf(words, kind) : type,
    stems: stems.filter((stem) => !genericStems.has(stem)),
    unit: wantsYear ? '' : unit,
    wantsYear,
  };
}

function roleOf(words: readonly string[], kind: QuestionKind): Role {
  for (const word of [...words].reverse()) {
    const known = roles.find(([, names]) => names.split(' ').includes(word.toLowerCase()));
    if (known !== undefined) return known[0];
  }
  if (kind === 'person' || kind === 'place' || kind === 'which') return 'name';
  if (kind === 'date' || kind === 'year') return 'date';
  return kind === 'reason' || kind === 'manner' || kind === 'define' ? 'sentence' : 'phrase';
}

function lastKey(path: string): string {
  const keys = path.split('/').filter((key) => key !== '-' && key !== '');
  return (keys.at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 200);
}
