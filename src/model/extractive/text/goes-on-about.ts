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

/** "The hall is closed during that time.", "An diesem Tag …": the time is in the sentence before it. */
const timeBefore =
  /(?<!\p{L})(?:(?:during|in|at|on|by|until|after|before|from) (?:that|this|those|these) (?:time|period|days?|date|weeks?|months?)|(?:until|till|by|before|since) then|(?:in|während|zu|bis|nach|seit|an) (?:dieser|diesen?|diesem|jener) (?:Zeit(?:raum)?|Tage?n?|Wochen?|Datum)|bis dahin|(?:pendant|durant|à) (?:cette|ces) (?:période|date|jours|semaines?)|ce(?:tte)? (?:jour|semaine)-là|(?:durante|en|hasta) (?:ese|este|esa|esta|esos|estos|esas|estas) (?:tiempo|per[ií]odo|días?|fechas?|semanas?)|(?:durante|in) (?:quel|questo|quei|questi|quella|questa) (?:periodo|giorn[oi]|settimana)|(?:tijdens|in|op) (?:die|deze|dat) (?:periode|tijd|dag(?:en)?|week))(?!\p{L})/iu;

/** Whether a sentence says when by a time that the one before it says. */
export function pointsToTime(text: string): boolean {
  return timeBefore.test(text);
}

/** Whether a sentence has a pronoun for what the one before it is about. */
export function goesOnAbout(text: string): boolean {
  return pronoun.test(text) || pronounAfterCondition.test(text);
}
