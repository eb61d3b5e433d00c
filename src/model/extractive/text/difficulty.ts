/** How difficult something is, in the words of tables of courses, walks and games: "beginners", "mittel", "difficile". */

/** From the easiest on. */
const levels: readonly RegExp[] = [
  /^(?:very|sehr|très|muy) (?:easy|leicht|einfach|facile|fácil)$/i,
  /^(?:easy|beginners?|starter|novice|basic|leicht|einfach|anfänger|facile|débutante?s?|fácil|principiantes?|inicial)$/i,
  /^(?:medium|moderate|intermediate|average|mittel|mittelschwer|fortgeschritten|fortgeschrittene|moyen(?:ne)?|intermédiaire|medi[oa]|intermedi[oa])$/i,
  /^(?:hard|difficult|advanced|demanding|challenging|strenuous|schwer|schwierig|anspruchsvoll|difficile|avancée?|confirmée?|difícil|avanzad[oa])$/i,
  /^(?:(?:very|sehr|très|muy) (?:hard|difficult|schwer|difficile|difícil)|experts?|profis?|experten|expert[eo]s?)$/i,
];

/** Numbers for the cells of a column that grow with the difficulty; undefined if one of them is no level of it. */
export function readLevels(cells: readonly string[]): readonly number[] | undefined {
  const found = cells.map((cell) => levels.findIndex((level) => level.test(cell.trim())));
  return found.length < 2 || found.includes(-1) ? undefined : found;
}
