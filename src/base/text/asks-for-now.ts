/** Whether a question asks for what holds now, in seven languages. */

const words =
  /(?<!\p{L})(?:latest|newest|current(?:ly)?|today|now|nowadays|recent(?:ly)?|most recent|up[- ]to[- ]date|these days|at present|this (?:year|month|week)|aktuell\w*|neueste\w*|heute|derzeit|momentan|jetzt|actuel\w*|aujourd['’]hui|derni[eè]re?s?|récemment|actuales|actualmente|hoy|último?s?|última?s?|recientes?|oggi|attual\w*|ultim[oaie]|recente|huidige?|vandaag|nieuwste|laatste)(?!\p{L})/iu;
/** Characters of a question that are looked at. */
const maxQuestion = 2_000;

/** "What is the latest version of …?", "Who is the mayor today?" */
export function asksForNow(question: string): boolean {
  return words.test(question.slice(0, maxQuestion));
}
