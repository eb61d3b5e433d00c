/**
 * Articles that say how many there are of something, in languages in which "one" is "a" as well: "Jedes Mitglied erhält einen Schlüssel"
 * counts keys, "Quien pierde un libro" counts no books.
 */
import { withoutMarks } from '../../../../base/text/stems/fold.ts';

/** "One" in languages in which it is "a" as well. */
const article = /^(?:une?|una|uno|ein(?:e[nmrs]?)?|een)$/i;
/**
 * What is before an article that does not count: "mit einem Hund", "Quien pierde un libro", "Neben der Kirche ist ein Garten", "demandez
 * un lit".
 */
const notCounted = [
  /(?<!\p{L})(?:mit|für|ohne|als|wie|in|im|auf|an|aus|bei|beim|von|vom|zu|zum|zur|nach|neben|gegen|durch|um|trotz|wegen|statt|avec|pour|sans|comme|dans|sur|sous|chez|vers|par|(?<!(?:dispon|dispos|const|compos|conta)\p{L}{1,4} )d[ei]|à|con|para|sin|como|en|sobre|por|per|senza|come|su|tra|fra|met|voor|zonder|op|van|bij|naar|com|sem|em|do|da)\s+$/iu,
  /(?<!\p{L})[dl]['’]$/iu,
  /(?<!\p{L})(?:quien(?:es)?|si|cuando|qui|quand|lorsque|wer|wenn|falls|sobald|bevor|chi|quando|wie|als|wanneer|indien|quem|se(?! (?:admite|permite|acepta|puede|entrega|da|ofrece|presta|recibe|incluye|necesita)n?(?!\p{L})))(?!\p{L})[^.!?;:,]*(?:,[^.!?;:,]{0,3})?$/iu,
  /(?<!\p{L})(?:neben|bei|beim|vor|hinter|nahe|gegenüber|près|derrière|devant|junto|cerca|detrás|vicino|accanto|dietro|naast|achter|perto)(?!\p{L})[^.!?;:]*(?<!\p{L})(?:ist|est|está|è|is|é)\s+$/iu,
  /(?<!(?:vous|n['’])\s*)(?<!\p{L})(?!avez)\p{L}{2,}ez\s+$/iu,
];
/** "Der Verlust eines Schlüssels": of one, unless it is said that there is only one. */
const ofOne = /^eine[sr]$/i;
const onlyOne = /(?<!\p{L})(?:nur|genau|maximal|höchstens|gibt(?: es)?)\s+$/iu;
/** Letters by which words are taken for forms of each other: "Hund" and "Hunde", "libro" and "libros". Set by hand. */
const sameLetters = 4;
/** Of a short word, all but its last letter, "cane" and "cani", but at least so many, "clé" and "clés". Set by hand. */
const minLetters = 3;
/** Characters before and after an article that are read. Set by hand. */
const maxBeside = 40;

/** Whether a number may be an article as well. */
export function isArticle(word: string): boolean {
  return article.test(word);
}

/** Returns a function for whether an article of a text says how many there are of what the question asks for. */
export function countedArticles(question: string): (text: string, start: number, length: number) => boolean {
  let asked: readonly string[] | undefined;
  const isAsked = (word: string) => {
    asked ??= withoutMarks(question).match(/\p{L}+/gu) ?? [];
    const letters = withoutMarks(word);
    const same = letters.slice(0, Math.min(sameLetters, Math.max(minLetters, letters.length - 1)));
    return asked.some((each) => each.startsWith(same));
  };
  return (text, start, length) => {
    const nouns =
      text
        .slice(start + length, start + length + maxBeside)
        .match(/\p{L}{3,}/gu)
        ?.slice(0, 2) ?? [];
    if (!nouns.some(isAsked)) return false;
    const before = text.slice(Math.max(0, start - maxBeside), start);
    if (ofOne.test(text.slice(start, start + length)) && !onlyOne.test(before)) return false;
    return !notCounted.some((pattern) => pattern.test(before));
  };
}
