/**
 * What people write around a question and do not ask: greetings, thanks, "could you tell me", "according to the document", and wishes about
 * the form of the answer. In English, and the greetings and requests of the other languages that questions are read in.
 */
import { questionWords } from './question-words.ts';

const anyOf = (...patterns: readonly string[]) => `(?:${patterns.join('|')})`;

const greeting = `${anyOf(
  'hi|hello|hey|dear (?:all|team)|good (?:morning|afternoon|evening|day)|greetings',
  'hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|hola|buenos días|buenas (?:tardes|noches)',
  'ciao|buongiorno|goedendag|olá|bom dia',
)}(?: there| everyone| all| zusammen| à tous)?`;
const thanks = [
  anyOf(
    '(?:thanks?|thx)(?: you)?(?: (?:a lot|a million|very much|so much))?|many thanks|cheers',
    'danke(?: (?:schön|sehr))?|(?:vielen|besten|herzlichen) dank|merci(?: (?:beaucoup|bien))?|(?:muchas )?gracias',
    'grazie(?: mille)?|bedankt|dank (?:je|u)(?: wel)?|(?:muito )?obrigad[oa]',
  ),
  "(?: (?:in advance|im voraus|d['’]avance|de antemano|in anticipo|alvast))?(?: for (?:your|the|any) (?:help|answer|time|reply))?",
].join('');
const announcement = anyOf(
  String.raw`(?:i (?:have|had|got)|there is|just|another|one more|ich h(?:abe|ätte)|j['’]ai|tengo) (?:a |another |one |eine |une |una )?(?:quick |short |small |kurze |petite )?(?:question|frage|pregunta)s?\b[^?:]*`,
  'sorry (?:to bother|for bothering|for disturbing) you[^?]*',
  String.raw`(?:i )?hope (?:you|this|all)\b[^?]*`,
  '(?:best|kind|warm) regards[^?]*',
);
const wish = [
  String.raw`(?:answer|respond|reply|write|keep|format|return|limit|be|make|cite|include|use|do not|don't|only|no)\b[^?]*\b`,
  anyOf(
    'sentences?|words?|paragraphs?|bullets?|json|markdown|table|concise|brief|short|detailed|sources?|citations?|cited',
    'english|language|answers?|format|facts?',
  ),
  String.raw`\b[^?]*`,
].join('');
const document =
  '(?:(?:attached|uploaded|enclosed|above) )?(?:documents?|files?|texts?|notes|pdfs?|pages?|letters?|e-?mails?|papers|sources|attachments?)';
const request = anyOf(
  '(?:can|could|would|will) you (?:please |kindly )?(?:tell me|explain|find(?: out)?|say|give me|show me|let me know)',
  "tell me|i(?:'d| would) (?:just )?like to know|i (?:just )?(?:want|need) to know|i(?: was|'m| am) (?:just )?wondering|i wonder",
  'let me know|do you (?:happen to )?know|find out',
  'können sie mir (?:bitte )?sagen|kannst du mir (?:bitte )?sagen|ich (?:möchte|würde gerne?) wissen|sagen sie mir',
  'pouvez-vous me dire|peux-tu me dire|je voudrais savoir',
  '¿?pued(?:e|es)(?: usted)? decirme|¿?me pued(?:e|es) decir|quisiera saber',
);
/** Words after which a greeting without a mark is one: "hi what time is it", not "hello world". */
const asks = anyOf(
  questionWords(),
  'please|can|could|would|will|do|does|is|are|may|must|i|tell|kann|können|ich|bitte|pouvez|je|puede|quisiera',
);

/** A sentence that asks nothing. */
export const formOnly = new RegExp(
  String.raw`^(?:${greeting}[,!]?\s+)?(?:(?:please\s+)?${wish}|please|${greeting}|${thanks}|${announcement})[.!,]*$`,
  'iu',
);
/** The beginning of a question that is no part of it; it may be empty. */
export const leadIn = new RegExp(
  [
    String.raw`^(?:(?:please|bitte)[,!]?\s+|`,
    `(?:${greeting}|${thanks}|(?:quick |short |my |the )?question|frage|pregunta|(?:according to|based on|from|in) (?:the|this|that|these|my|our) ${document})`,
    String.raw`(?:\s*[,!.:–-]+\s*|\s+(?=${asks}(?!\p{L}))))*`,
    String.raw`(?:${request}(?:\s*[,:–-]\s*|\s+)(?:about\s+)?)?`,
  ].join(''),
  'iu',
);
/** A wish at the end of a question, and its mark. */
export const tail =
  /[,;]?\s*(?:\b(?:please|briefly|concisely|in (?:one|two|three|a few|\d+) (?:short )?(?:sentences?|words?|paragraphs?|lines?|bullet points?)|in (?:short|detail|brief)|step by step|with sources|with citations)\b[,\s]*)+([?.!]*)$/i;
