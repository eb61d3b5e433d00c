/**
 * Verbs whose meaning is in their particle: "Screen is switched off" says nothing about "How do I switch it on?", though both say
 * "switch". English only.
 */

const opposites: Readonly<Record<string, string>> = {
  on: 'off',
  off: 'on',
  in: 'out',
  out: 'in',
  up: 'down',
  down: 'up',
};
/** A verb and its particle, with at most three words between them: "turn the heating down". */
const pattern =
  /\b(switch|turn|plug|log|sign|check|clock|lock|put|go|move|scale|roll|load|hook|fold|wind|pull|slow|speed|power)(?:s|es|ed|ing|ged|ging|ned)?(?: (?!and\b|or\b)[\p{L}'’-]+){0,3}? (on|off|in|out|up|down)\b/giu;

/** A function that says whether a text has a verb of the question with the opposite particle, and never with its own. */
export function createOppositeCheck(question: string): (text: string) => boolean {
  const asked = verbsIn(question);
  const contrary = asked.map((verb) => verb.replace(/\w+$/, (particle) => opposites[particle]!));
  return (text) => {
    if (asked.length === 0) return false;
    const said = verbsIn(text);
    return contrary.some((verb) => said.includes(verb)) && !asked.some((verb) => said.includes(verb));
  };
}

/** "switch on" for "switches the radio on". */
function verbsIn(text: string): string[] {
  return [...text.matchAll(pattern)].map(([, verb, particle]) => `${verb} ${particle}`.toLowerCase());
}
