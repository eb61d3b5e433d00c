/** Sentences that go on about what the one before is about: "It is serviced every September.", "In winter it costs 12 euros." */

const pronoun = /^(?:He|She|It|Er|Sie|Es|Il|Elle|Él|Ella)\s/;
/** A few words of a condition. */
const few = String.raw`(?:(?:the|our|den|dem|der|die|das|la|les?|l['’]|el|los|las|de|het) ?)?(?:[\p{L}\p{N}’'-]+ ){0,2}?[\p{L}\p{N}’'-]+`;
/**
 * A pronoun after a condition: "In winter it costs 12 euros.", "Für Mitglieder kostet er 9 Euro.", "En hiver, il coûte …", and where the verb
 * says it alone, "En invierno cuesta …". Not "Im Haus gibt es …".
 */
const pronounAfterCondition = new RegExp(
  [
    `(?:In|At|On|For|From|During|Outside|After|Before|Until|Between|With|Without) ${few},? (?:it|they(?! (?:sell|serve|say|speak|offer|have)(?!\\p{L}))|he|she) \\p{Ll}`,
    `(?:Im|In|Am|An|Für|Ab|Bei|Mit|Ohne|Während|Außerhalb|Zu) ${few} (?!gibt es)\\p{Ll}+ (?:er|sie|es)(?!\\p{L})`,
    `(?:En|Au|Aux|Pour|Pendant|Avec|Sans|Dès|Le|Les) ${few},? (?:il|elle|ils|elles) (?!y a|faut)\\p{Ll}`,
    `(?:In|Voor|Op|Tijdens|Vanaf|Buiten|Met|Zonder) ${few} \\p{Ll}+ (?:hij|zij|ze)(?!\\p{L})`,
    `(?:(?:En|Para|Durante|Fuera de|In|Per|No|Na|Nos|Nas) |D['’])${few},? (?:cuestan?|valen?|abren?|cierran?|duran?|costa(?:no)?|apr(?:e|ono)|chiud(?:e|ono)|custam?|fecham?)(?!\\p{L})`,
  ]
    .map((each) => `^${each}`)
    .join('|'),
  'u',
);

/** Whether a sentence has a pronoun for what the one before it is about. */
export function goesOnAbout(text: string): boolean {
  return pronoun.test(text) || pronounAfterCondition.test(text);
}
