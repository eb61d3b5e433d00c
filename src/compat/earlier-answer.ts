/** An answer that a client repeats as part of its conversation. */

/** Without its markers and the list of its sources: a later search must not take the numbers of an earlier one for its own. */
export function withoutSources(answer: string): string {
  return answer.replace(/ ?\[\d{1,3}\]/g, '').replace(/\n\n\*\*Sources\*\*\n[\s\S]*$/, '');
}
