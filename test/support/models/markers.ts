/** Markers in the styles that models write. */
import { answered, type Behaviour, bestSentences, goodAnswer, writes } from './behaviour.ts';

const styles: Record<string, (n: number, other: number) => string> = {
  'm-sep': (n, o) => `[${n}][${o}]`,
  'm-list': (n, o) => `[${n}, ${o}]`,
  'm-cn': (n) => `【${n}†source】`,
  'm-cn2': (n) => `【${n}】`,
  'm-paren': (n) => `(${n})`,
  'm-caret': (n) => `^${n}`,
  'm-caret2': (n) => `^[${n}]^`,
  'm-foot': (n) => `[^${n}]`,
  'm-range': (n) => `[${n}-${n + 2}]`,
  'm-range2': (n) => `[${n}–${n + 2}]`,
  'm-sup': (n) => `<sup>${n}</sup>`,
  'm-sup2': (n) => `<sup>[${n}]</sup>`,
  'm-src': (n) => `[Source ${n}]`,
  'm-link': (n) => `[${n}](http://127.0.0.1:9400/bridge)`,
  'm-ev': (n) => `[evidence ${n}]`,
  'm-bold': (n) => `**[${n}]**`,
  'm-full': (n) => `［${n}］`,
  'm-semi': (n, o) => `[${n}; ${o}]`,
  'm-and': (n, o) => `[${n} and ${o}]`,
  'm-esc': (n) => `\\[${n}\\]`,
  'm-dbl': (n) => `[[${n}]]`,
  'm-uni': (n) => [...String(n)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join(''),
  'm-hash': (n) => `[#${n}]`,
  'm-ref': (n) => `[ref:${n}]`,
  // Some more than the list has.
  'm-seen': (n) => `[see ${n}]`,
  'm-sources': (n, o) => `(Sources: ${n}, ${o})`,
  'm-tortoise': (n) => `〔${n}〕`,
  'm-oai': (n) => `【${n}:0†page.txt】`,
  'm-ref2': (n) => `<ref>${n}</ref>`,
  'm-cite': (n) => `[cite: ${n}]`,
  'm-wide': (n) => `［${[...String(n)].map((digit) => '０１２３４５６７８９'[Number(digit)]).join('')}］`,
  'm-wide2': (n) => `（来源：${n}）`,
  'm-tex': (n) => `$^{${n}}$`,
  'm-tex2': (n) => `\\cite{${n}}`,
  'm-tag': (n) => `<cite id="${n}"/>`,
  'm-title': (n) => `[${n}: Marlow Strait Bridge]`,
  'm-id': (n) => `[source_id: ${n}]`,
  'm-link2': (n) => `[[${n}]](http://127.0.0.1:9400/bridge)`,
  'm-brace': (n) => `{${n}}`,
  'm-angle': (n) => `<${n}>`,
  'm-corner': (n) => `「${n}」`,
  'm-before': (n) => `[${n}].`,
};

export const markerStyles = Object.keys(styles);

export const markers: Record<string, Behaviour> = {
  ...Object.fromEntries(
    Object.entries(styles).map(([name, style]) => [name, writes((call) => goodAnswer(call, style, 4))]),
  ),
  'm-before': writes(
    (call) =>
      `${answered}${bestSentences(call, 4)
        .map(({ n, text }) => `${text.replace(/\.$/, '')} [${n}].`)
        .join(' ')}`,
  ),
  dressed: writes((call) => {
    const invented =
      'The bridge was paid for by the sultan of Brunei [1-3]. It glows in the dark 【2†source】. ' +
      'Pandas live on it [^4]. It sank in 2020 [5](http://127.0.0.1:9400/bridge). ';
    return `${answered}${invented}${goodAnswer(call, undefined, 1).slice(answered.length)}`;
  }),
  ghost: writes((call) => goodAnswer(call, () => '[99]')),
  ghosthalf: writes(
    (call) =>
      `${answered}${bestSentences(call, 4)
        .map(({ n, text }, i) => `${text} [${i % 2 === 1 ? 77 : n}]`)
        .join(' ')}`,
  ),
  dup: writes((call) => {
    const twice = bestSentences(call, 2).map(({ n, text }) => `${text} [${n}][${n}][${n}]`);
    return `${answered}${twice.join(' ')} ${twice[0]}`;
  }),
};
