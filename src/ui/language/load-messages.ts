/** Loads the messages of the page in its language, and only those: each language is a file of its own. */
import { type Language, language } from './choice.ts';

/** Typed as the English messages, whose placeholders the compiler checks; a test checks the other languages against them. */
export async function loadMessages<English>(
  files: Readonly<Record<Language, () => Promise<{ readonly messages: unknown }>>>,
): Promise<English> {
  return (await files[language]()).messages as English;
}
