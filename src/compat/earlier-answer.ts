/** An answer that a client repeats as part of its conversation. */

/** A later search must not take the numbers of an earlier one for its own. */
export function withoutMarkers(answer: string): string {
  return answer.replace(/ ?\[\d{1,3}\]/g, '').replace(/\n\n\*\*Sources\*\*\n[\s\S]*$/, '');
}
