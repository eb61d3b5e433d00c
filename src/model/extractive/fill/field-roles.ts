/** What kind of value a field takes, by the words of its name, the format that its schema sets, and what is asked. */
import type { TextFormat } from '../../../base/values/text-formats.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import { stemOf } from '../text/words.ts';

/** The kind of text or value that a field takes. */
export type Role =
  | 'number'
  | 'boolean'
  | 'choice'
  | 'sentence'
  | 'code'
  | 'block'
  | 'date'
  | 'name'
  | 'address'
  | 'email'
  | 'phone'
  | 'version'
  | 'place'
  | 'phrase';

/** The words of names that tell a role. */
const roles: readonly (readonly [Role, string])[] = [
  [
    'sentence',
    'summary description answer explanation detail details definition reason quote text note notes how why meaning content overview abstract background instructions usage purpose rationale evidence fact statement policy',
  ],
  ['block', 'code snippet example sample'],
  [
    'code',
    'option parameter param property prop method function class flag command setting api package module variable field header event type key env argument constant identifier syntax symbol attribute keyword interface library',
  ],
  [
    'date',
    'date dates when published born died birthday day month year founded established released started ended century updated deadline until due expires expiry expiration effective',
  ],
  ['email', 'email mail'],
  ['version', 'version release'],
  ['place', 'place location venue where'],
  ['phone', 'phone telephone tel fax mobile'],
  ['address', 'url link uri website homepage href site'],
  [
    'name',
    'name author person who director founder city country capital organization organisation company team president actor actress artist singer band writer title winner leader inventor owner ceo publisher nationality region river landlord tenant chair chairman chairperson chairwoman manager manufacturer maker employee borrower lender contractor editor engineer architect builder designer contact seller buyer employer host speaker teacher lead sponsor treasurer secretary supplier client',
  ],
];

/** What the format of a text says of its role. */
export const formatRoles: Readonly<Partial<Record<TextFormat, Role>>> = {
  date: 'date',
  email: 'email',
  uri: 'address',
};

/** Names of what a question asks for: they say nothing that the prompt does not. */
export const askedStems = new Set(
  'answer summary description option name title explanation detail details value result example code snippet text quote source fact statement reason response output content overview'
    .split(' ')
    .map(stemOf),
);

/** Before `_on` or `_at`: what happened on a day, or somewhere. */
const happened = /(?:ed|sent|held|made|begun|written|built|sold|paid|due|found|won|lost|seen|taken)$/;
const isSomewhere =
  /^(?:based|located|situated|hosted|held|focused|depend(?:ed)?|limited|need|used|stored|stationed|kept|made|employed|aimed|feed|speed)$/;

/** The role of a text by the words of its field's name, the last first, else by the kind of question that a name such as `answer` leaves open. */
export function roleOf(names: readonly string[], kind: QuestionKind): Role {
  if (names.at(-1)?.toLowerCase() === 'in' && names.length > 1) return 'place';
  const [last = '', before = ''] = [names.at(-1)?.toLowerCase(), names.at(-2)?.toLowerCase()];
  if (/^(?:on|at)$/.test(last) && happened.test(before) && !isSomewhere.test(before)) return 'date';
  if (/^(?:from|since)$/.test(last) && /^(?:closed|open|valid|available|absent|away|employed)$/.test(before))
    return 'date';
  for (const word of [...names].reverse()) {
    const known = roles.find(([, list]) => list.split(' ').includes(word.toLowerCase()));
    if (known !== undefined) return known[0];
  }
  if (names.some((name) => askedStems.has(stemOf(name)))) {
    if (kind === 'person' || kind === 'place' || kind === 'which') return 'name';
    if (kind === 'date' || kind === 'year') return 'date';
    if (kind === 'reason' || kind === 'manner' || kind === 'define') return 'sentence';
  }
  return 'phrase';
}

/** The names of a role, "email" and "mail" of an address for mail: a value of that kind says itself what it is. */
export function namesOf(role: Role): readonly string[] {
  return roles.find(([each]) => each === role)?.[1].split(' ') ?? [];
}
