/** What a question names to learn what it is: "git gc" in "What does git gc do?", both in "What is the difference between a and b?" */

const asksForDefinition =
  /^(?:(?:what|who) (?:is|are|was|were)\s+(?:an?\s+|the\s+)?(.{1,60}?)|what (?:does|do)\s+(?:an?\s+|the\s+)?(.{1,60}?)\s+(?:mean|do|stand for)(?:\s+(?:in|of)\s+(\S{1,30}?))?|define\s+(?:an?\s+|the\s+)?(.{1,60}?))\s*\??$/i;
const articles =
  "(?:(?:der|die|das|den|eine?|les?|la|une?|el|los|las|un[ao]?|il|lo|gli|i|een|de|het|os?|as?|uma?)\\s+|[lL]['’])?";
/** "Was ist Citewire?", "Qu’est-ce que la TVA ?", "¿Qué es Citewire?" */
const asksForDefinitionElsewhere = new RegExp(
  String.raw`^[¿\s]*(?:was (?:ist|sind|bedeutet|bedeuten)|wer ist|qu['’]est[- ]ce (?:que (?:c['’]est que )?|qu['’])|c['’]est quoi|que signifie|qui est|qu[eé] (?:es|son|significa)|quién es|(?:che )?cos['’]è|che cosa (?:è|sono)|cosa (?:è|sono|significa)|chi è|wat (?:is|zijn|betekent)|wie is|o que (?:é|são|significa)|quem é)\s*(?<=[\s'’])${articles}(.{1,60}?)\s*\?*$`,
  'iu',
);
const asksForDefinitionInHan =
  /^(?:什[么麼]是|啥是)\s*(.{1,60}?)\s*[?？]*$|^(.{1,60}?)\s*(?:是(?:什[么麼]|啥|谁|誰)|とは(?:何(?:ですか)?)?|って何(?:ですか)?)\s*[?？。]*$/u;
const asksForDifference =
  /\bdifferences? between\s+(.{1,40}?)\s+and\s+(.{1,40}?)\s*\??$|\bhow (?:do|does|is|are)\s+(.{1,40}?)\s+(?:differ|different)\s+from\s+(.{1,40}?)\s*\??$/i;

/** The name whose definition a question asks for, without its article, "vacuum" or "a ticket in Citewire"; undefined if it asks for none. */
export function nameToDefine(question: string): string | undefined {
  const asked = question.trim();
  const [, is, does, place, define] = asksForDefinition.exec(asked) ?? [];
  const name = is ?? (does !== undefined && place !== undefined ? `${does} in ${place}` : does) ?? define;
  if (name !== undefined) return name;
  const [, first, second] = asksForDefinitionElsewhere.exec(asked) ?? asksForDefinitionInHan.exec(asked) ?? [];
  return first ?? second;
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
