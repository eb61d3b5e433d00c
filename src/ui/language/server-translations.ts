/**
 * What the server says in English, in the language of the page. It is found by the whole message; one that is not known is shown
 * as the server says it. Pages call it by server-text.ts.
 */
import type { CitewireError } from '../../client/client.ts';
import { formatBytes } from '../components/format.ts';
import { language } from './choice.ts';
import { knownExpectations } from './known-expectations.ts';
import { type Known, knownSentences, namingScopes } from './known-sentences.ts';
import { counted, fill } from './message.ts';
import { t } from './server/text.ts';
import { t as common } from './text.ts';

type Issue = CitewireError['issues'][number];

/** A sentence, such as why a page could not be read. */
export function describeSentence(message: string): string {
  return textOf(message, language === 'en' ? namingScopes : knownSentences) ?? message;
}

/** What is wrong with a field: what was expected and what was entered. Begins in lower case, and has no full stop. */
export function describeIssue(msg: string): string {
  if (language === 'en') return msg;
  const said = /^expected (.+)$/s.exec(msg)?.[1];
  return (said === undefined ? undefined : expectation(said)) ?? describeSentence(msg);
}

/** The same as a sentence, to stand alone. */
export function issueSentence(msg: string): string {
  const said = describeIssue(msg);
  const end = /[.。]$/.test(said) ? '' : common.failures.fullStop;
  return said.charAt(0).toUpperCase() + said.slice(1) + end;
}

/** The same, after the name of the field. */
export function describePlacedIssue({ loc, msg }: Issue): string {
  const title = nameOfField(loc);
  const detail = describeIssue(msg);
  return title === '' ? detail : fill(common.failures.detail, { title, detail });
}

const fields: { readonly [field: string]: string } = t.fields;

/** The name of a place such as `["body", "inputs", "year"]`, or in a frame's `request`; '' for the request as a whole. */
export function nameOfField([, ...place]: readonly (string | number)[]): string {
  const [field = '', ...inside] = place[0] === 'request' ? place.slice(1) : place;
  return [fields[field] ?? field, ...inside].join(' › ');
}

const scopes: { readonly [scope: string]: string } = t.scopes;

/** What a key with this scope may do. */
function nameOfScope(scope: string): string {
  return scopes[scope] ?? scope;
}

function expectation(said: string): string | undefined {
  const whole = textOf(said, knownExpectations);
  if (whole !== undefined) return whole;
  const [, what = '', received = ''] = /^(.+?); got (.+)$/s.exec(said) ?? [];
  const expected = textOf(what, knownExpectations);
  return expected === undefined ? undefined : withReceived(expected, received);
}

/** Values are shown as they are. Words, such as "got an empty string", say nothing that is not expected already. */
function withReceived(expected: string, received: string): string {
  if (received === 'nothing') return fill(t.got.nothing, { expected });
  const listed = /^a list of (\d+)$/.exec(received)?.[1];
  if (listed !== undefined) return counted(t.got.list, Number(listed), { expected });
  const [, value = '', length = ''] = /^(.+) \((\d+) characters\)$/s.exec(received) ?? [];
  if (length !== '') return counted(t.got.long, Number(length), { expected, value });
  const isValue = /^(?:["[{\d-]|true$|false$|null$)/.test(received);
  return isValue ? fill(t.got.value, { expected, value: received }) : expected;
}

function textOf(message: string, known: readonly Known[]): string | undefined {
  for (const [pattern, text] of known) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const values = valuesOf(found.groups ?? {});
    return typeof text === 'string' ? fill(text, values) : fill(counted(text, values.count as number), values);
  }
  return undefined;
}

/** Numbers, sizes and lists are written as the language writes them; a reason is a message of its own. */
function valuesOf(groups: Readonly<Record<string, string>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => {
      if (name === 'bytes') return [name, formatBytes(Number(text))];
      if (name === 'reason') return [name, describeSentence(text)];
      if (name === 'scopes') return [name, text.split(', ').map(nameOfScope).join('; ')];
      if (name === 'values') return [name, text.replaceAll('" or "', '", "')];
      return [name, ['limit', 'got', 'count', 'characters'].includes(name) ? Number(text) : text];
    }),
  );
}
