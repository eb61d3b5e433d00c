/** Which sentences of an answer need a source, and which of them have none. */
import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../../src/engine/writing/uncited-share.ts';

/** The coverage of a text in which «…» is cited. */
function coverage(marked: string) {
  const citations: { start: number; end: number }[] = [];
  let text = '';
  for (const piece of marked.split(/([«»])/)) {
    if (piece === '«') citations.push({ start: text.length, end: 0 });
    else if (piece === '»') citations.at(-1)!.end = text.length;
    else text += piece;
  }
  const { sentences, uncited } = coverageOf(text, citations);
  return [uncited, sentences];
}

describe('the uncited sentences of an answer', () => {
  it.each<[string, [uncited: number, sentences: number]]>([
    ['«It was opened in 1931.» [1] «It is long.» [2]', [0, 2]],
    ['It was built by aliens in 1720. It is made of chocolate. «It was opened in 1931.» [1]', [2, 3]],
    ['Sure! Here is my answer.\n\n«It was opened in 1931.» [1] I hope this helps.', [0, 1]],
    ['# The bridge\n\nThe facts are:\n\n- «It was opened in 1931.» [1]\n- It sank in 2020.', [1, 2]],
    ['| Fact | Value |\n|---|---|\n| «Opened | 1931» [1] |\n| Cost | 99 million |', [1, 2]],
    ['```\nIt is code. All of it.\n```\n\n«It is so.» [1]', [0, 1]],
    ['The evidence does not say how much it weighs.', [0, 0]],
    ['There is no information on its weight. The sources do not explicitly mention its colour.', [0, 0]],
    ['Its weight is not stated in the evidence, and none of the pages names its colour.', [0, 0]],
    ['Die Quellen nennen das Gewicht nicht. Les sources ne le disent pas.', [0, 0]],
    ['The results of the vote of 1931 were not accepted. The king did not sign the documents.', [2, 2]],
    ['No ship left the port without papers, and the text of the contract is not known.', [1, 1]],
    ['Was it opened in 1931? «It was opened in 1931.» [1]', [0, 1]],
    ['«マーロウ海峡大橋は1931年に開通した。»[1]設計者はアダ・リンドクヴィストである。', [1, 2]],
    ['«The list of them is» [1]. For details, see [2]. More can be found in [3].', [0, 0]],
    ['What it is, is old. «It is what it looks like.» [1]', [1, 2]],
    ['«It is old.» [1] More about Dr. Ingrid Solvay is in the archive of the U.S. Army.', [1, 2]],
    ['«Er ist alt.» [1] Er wird z. B. am 3. Mai von Prof. Dr. Braun bzw. seiner Frau gezeigt. Er ist hoch.', [2, 3]],
    ['«It is old.» [1] It was sold to Smith & Co. in 1904, i.e. No. 9 of the list by J. R. R. Tolkien.', [1, 2]],
    ['It was built in the U.S. The tower is high. [1] It has 3 lamps. 4 people live there.', [4, 4]],
    ['«It was built by Rook Inc.» [1] Dragons live there.', [1, 2]],
    ['«It was built by Rook Inc.» [1] and dragons live there.', [1, 2]],
    ['«It has vitamin C.» [1] Sailors invented the moon in 1700.', [1, 2]],
    ['«It closed in Dec.»[1][2] Dragons live in its tower.', [1, 2]],
    ['«Es kostet 3 Mio.» [1] Drachen wohnen im Turm der Stadt.', [1, 2]],
    ['«It is (as said by Smith et al. [1] and others) old.» Dragons live there.', [1, 3]],
    ['It was built by Rook Inc. of Marlow «in 1931.» [1]', [0, 1]],
    ['', [0, 0]],
  ])('of %j are counted', (marked, wanted) => {
    expect(coverage(marked)).toEqual(wanted);
  });

  it.each(['a. ', '。', '| ', 'no source ', '** ', 'A. ', '(Aa. ) '])(
    'are counted in one pass over a megabyte of %j',
    (unit) => {
      expect(coverageOf(unit.repeat(1_000_000 / unit.length), []).uncited).toBeGreaterThanOrEqual(0);
    },
  );
});
