/**
 * What the server says in English, in the language of the page. The chat loads these texts after its first paint, so that it is
 * smaller, and the other pages with their own: until they are there, a message is shown as the server says it.
 */
import { signal } from '@preact/signals';
import type { CitewireError } from '../../client/client.ts';

type Translations = typeof import('./server-translations.ts');
type Issue = CitewireError['issues'][number];

/** A signal, so that what was drawn before is drawn again once they are there. */
const translations = signal<Translations | undefined>(undefined);

export function setServerTexts(loaded: Translations): void {
  translations.value = loaded;
}

/** Without them, the page works: texts stay in English. */
export async function loadServerTexts(): Promise<void> {
  await import('./server-translations.ts').then(setServerTexts, () => {});
}

/** A sentence, such as why a page could not be read. */
export function describeSentence(message: string): string {
  return translations.value?.describeSentence(message) ?? message;
}

/** What is wrong with a field: what was expected and what was entered. Begins in lower case, and has no full stop. */
export function describeIssue(msg: string): string {
  return translations.value?.describeIssue(msg) ?? msg;
}

/** The same as a sentence, to stand alone. */
export function issueSentence(msg: string): string {
  return translations.value?.issueSentence(msg) ?? msg;
}

/** The same, after the name of the field. */
export function describePlacedIssue(issue: Issue): string {
  return translations.value?.describePlacedIssue(issue) ?? issue.msg;
}

/** The name of a place such as `["body", "inputs", "year"]`, or in a frame's `request`; '' for the request as a whole. */
export function nameOfField(loc: readonly (string | number)[]): string {
  return translations.value?.nameOfField(loc) ?? loc.slice(1).join(' › ');
}
