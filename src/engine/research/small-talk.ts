/**
 * Recognises prompts that ask for nothing: greetings, thanks and marks without words. They get a short reply instead of a
 * search, which would find whatever page has the word "hello". A prompt is one only as a whole: "Hi, how do I …?" is a
 * question. Words that may be looked up on their own are not in the lists.
 */

/** Characters; longer prompts are not looked at. Set by hand. */
const maxCharacters = 80;
/** Words of the longest phrase below. */
const maxWords = 4;

/** In English, German, French, Spanish, Italian, Dutch and Portuguese. */
const greetings = phrases(`
  hi, hello, hey, hiya, howdy, hi there, hello there, hey there, good morning, good afternoon, good evening, good day, greetings,
  how are you, how are you doing, how is it going, whats up, are you there, anybody there, anyone there, who are you,
  what are you, what can you do, can you help me, help me, please help, bye, goodbye, good night, see you, ok, okay,
  hallo, guten morgen, guten tag, guten abend, moin, servus, grüß gott, grüezi, wie geht es dir, wie gehts, tschüss, wer bist du,
  bonjour, bonsoir, salut, coucou, ça va, comment ça va, au revoir, qui es tu,
  hola, buenos días, buenos dias, buenas tardes, buenas noches, qué tal, que tal, cómo estás, como estas, adiós, quién eres,
  ciao, buongiorno, buonasera, come stai, come va, arrivederci, chi sei,
  goedemorgen, goedemiddag, goedenavond, goedendag, hoi, hoe gaat het, doei, wie ben je,
  olá, bom dia, boa tarde, boa noite, tudo bem, como vai, tchau, quem é você`);
const thanks = phrases(`
  thanks, thank you, thanks a lot, many thanks, thank you very much, thank you so much, thx, cheers, great, perfect,
  awesome, very good, well done, danke, vielen dank, danke schön, danke sehr, besten dank, dankeschön, merci, merci beaucoup,
  gracias, muchas gracias, grazie, grazie mille, tante grazie, bedankt, dank je, dank je wel, dank u, dank u wel, obrigado,
  obrigada, muito obrigado, muito obrigada`);

const replies = {
  greeting: 'Hello. Ask a question about something that the sources cover; the answer quotes them.',
  thanks: 'You are welcome. Ask the next question whenever you like.',
  nothing: 'There is no question in this prompt. Ask about something that the sources cover, in a full sentence.',
} as const;

/** A reply for a prompt that asks for nothing; undefined for any other. */
export function replyToSmallTalk(prompt: string): string | undefined {
  if (prompt.length > maxCharacters) return undefined;
  const words =
    prompt
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0 || words.every(isMash)) return replies.nothing;
  // A name may follow: "Hello Citewire".
  const said = words.filter((word) => word !== 'citewire');
  if (!isMadeOf(said, (phrase) => greetings.has(phrase) || thanks.has(phrase))) return undefined;
  return isMadeOf(said, (phrase) => greetings.has(phrase)) ? replies.greeting : replies.thanks;
}

function phrases(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((phrase) => phrase.trim().normalize('NFC')));
}

/** Whether the words, at least one, are phrases one after another. */
function isMadeOf(words: readonly string[], isKnown: (phrase: string) => boolean): boolean {
  let at = 0;
  while (at < words.length) {
    let taken = Math.min(maxWords, words.length - at);
    while (
      taken > 0 &&
      !isKnown(
        words
          .slice(at, at + taken)
          .join(' ')
          .normalize('NFC'),
      )
    )
      taken -= 1;
    if (taken === 0) return false;
    at += taken;
  }
  return words.length > 0;
}

/** "aaaaa", "hahaha", or five or more neighbouring keys of the two lower rows. */
function isMash(word: string): boolean {
  if (/^(\p{L}{1,2})\1{2,}\p{L}?$/u.test(word)) return word.length > 3;
  return word.length >= 5 && ['asdfghjkl', 'zxcvbnm', 'lkjhgfdsa', 'mnbvcxz'].some((row) => row.includes(word));
}
