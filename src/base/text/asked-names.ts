/** What a question names to learn what it is: "git gc" in "What does git gc do?", both in "What is the difference between a and b?" */

const asksForDefinition =
  /^(?:(?:what|who) (?:is|are|was|were)\s+(?:an?\s+|the\s+)?(.{1,60}?)|what (?:does|do)\s+(?:an?\s+|the\s+)?(.{1,60}?)\s+(?:mean|do|stand for)(?:\s+(?:in|of)\s+(\S{1,30}?))?|define\s+(?:an?\s+|the\s+)?(.{1,60}?))\s*\??$/i;
const asksForDifference =
  /\bdifferences? between\s+(.{1,40}?)\s+and\s+(.{1,40}?)\s*\??$|\bhow (?:do|does|is|are)\s+(.{1,40}?)\s+(?:differ|different)\s+from\s+(.{1,40}?)\s*\??$/i;

/** The name whose definition a question asks for, without its article, "vacuum" or "a ticket in Citewire"; undefined if it asks for none. */
export function nameToDefine(question: string): string | undefined {
  const [, is, does, place, define] = asksForDefinition.exec(question.trim()) ?? [];
  return is ?? (does !== undefined && place !== undefined ? `${does} in ${place}` : does) ?? define;
}

/** The two names that a question asks to tell apart, as it has them; undefined if it asks for no difference. */
export function namesToTellApart(question: string): readonly [string, string] | undefined {
  const [one, other] = (asksForDifference.exec(question)?.slice(1) ?? []).filter(Boolean);
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** The names of either question; empty for any other. */
export function namesAsked(question: string): readonly string[] {
  const name = nameToDefine(question);
  return namesToTellApart(question) ?? (name === undefined ? [] : [name]);
}
