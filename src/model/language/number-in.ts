/** The number of a piece of evidence or of a pair, which models also write as "2", "[2]" or `[2]`. */
export function numberIn(given: unknown): number | undefined {
  const one: unknown = Array.isArray(given) ? given[0] : given;
  if (typeof one === 'number') return one;
  const digits = typeof one === 'string' ? /^\D{0,20}(\d{1,3})\D{0,3}$/.exec(one)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
