/** Models that say the same until they are cut off. */

/** Whether a stream has begun to say the same over and over: its last words, many times in what came before. */
export function createRepetitionGuard(): (piece: string) => boolean {
  const window = 2_000;
  let recent = '';
  let unchecked = 0;
  return (piece) => {
    recent += piece;
    unchecked += piece.length;
    if (unchecked < 400) return false;
    unchecked = 0;
    recent = recent.slice(-window);
    const tail = recent.slice(-40);
    return tail.trim().length > 10 && recent.length >= 800 && recent.split(tail).length - 1 >= 6;
  };
}
