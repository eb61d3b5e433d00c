/** What models claim of their evidence: false, invented, in other words or in other languages. */

import { evidenceIn } from '../servers/model-server.ts';
import { answered, type Behaviour, bestSentences, claims, says, writes } from './behaviour.ts';

const opening = /opened on 14 May 1931 by Queen/;

/** Asks for what the claims below are about. */
const widely =
  (behaviour: Behaviour): Behaviour =>
  (call, count) =>
    call.kind === 'plan' ? says({ plan: () => JSON.stringify(widePlan) })(call, count) : behaviour(call, count);

const widePlan = {
  queries: [
    'Marlow Strait Bridge opened 14 May 1931 engineer span cost toll',
    'bridge museum dogs district council proposal toll',
    'Marlow ferry tickets adults children bicycles',
    'mayor of Marlow, strait cup final, Halvorsen Medal',
  ],
  from: null,
  to: null,
  language: null,
  only: [],
  never: [],
};

export const claimed: Record<string, Behaviour> = {
  negate: widely(
    claims([
      ['The Marlow Strait Bridge was not opened on 14 May 1931 by Queen Ingrid.', opening],
      ['Dogs are allowed in the museum.', /Dogs are not allowed/],
      ['The toll was reintroduced afterwards in 1968 on the bridge and was charged.', /toll was charged until 1968/],
      [
        'The inspectors said that the Marlow Strait Bridge is unsafe after the repair of 2025.',
        /inspectors said that it is safe/,
      ],
      [
        'The proposal of 2021 to bring the toll back was accepted by the district council with 31 votes to 12.',
        /rejected by the district council/,
      ],
      ['Bicycles never travel free of charge.', /Bicycles travel free/],
    ]),
  ),
  swap: widely(
    claims([
      ['Marlow beat Eastness 3 to 1 in the strait cup final of 2022.', /Eastness beat Marlow/],
      ['Per Nystrom received the Halvorsen Medal in 1933 and Ada Lindqvist in 1936.', /Lindqvist received it in 1933/],
      ['The mayor of Marlow is Signe Moberg, who was elected in 2023.', /mayor of Marlow is Henrik Dahl/],
      ['Tickets cost 4 crowns for adults and 8 crowns for children.', /Tickets cost 8 crowns for adults/],
      ['The repair cost 38 million crowns and ended in March 2025, six months early.', /six months late/],
      [
        'Ada Lindqvist, who died in 1933, was the first woman to receive the Halvorsen Medal, in 1962.',
        /first woman to receive/,
      ],
    ]),
  ),
  numbers: widely(
    claims([
      ['The Marlow Strait Bridge was opened on 14 May 1932 by Queen Ingrid.', opening],
      ['Construction cost 12 billion crowns and took six years.', /Construction cost 12 million/],
      ['Eleven hundred workers died.', /Eleven workers died/],
      ['Construction cost 12 million crowns and took nine years.', /took six years/],
    ]),
  ),
  fabricate: claims([
    ['The bridge glows in the dark and was paid for by the sultan of Brunei.', /cantilever/],
    ['It is the favourite place of pandas.', /Ada Lindqvist/],
  ]),
  short: writes((call) => {
    const [first] = evidenceIn(call);
    return answered + ['Yes.', 'No', 'All.', 'the', 'red'].map((word) => `${word} [${first!.n}]`).join('\n\n');
  }),
  uncitedmix: writes((call) => {
    const [best] = bestSentences(call, 1);
    const invented =
      'The bridge was built by aliens in 1720. It is made of chocolate. Nobody has ever crossed it. ' +
      'It is 9,000 km long and located in Australia.';
    return `${answered}${invented} ${best!.text} [${best!.n}]`;
  }),
  german: claims([
    ['Die Marlow-Strait-Brücke wurde am 14. Mai 1931 von Königin Ingrid eröffnet.', opening],
    ['Entworfen wurde sie von der Ingenieurin Ada Lindqvist.', /engineer Ada Lindqvist/],
    ['Die Hauptspannweite beträgt 482 Meter.', /482 metres/],
  ]),
  japanese: claims([
    ['マーロウ海峡大橋は1931年5月14日に開通した。', /14 May 1931 by Queen|1931年/],
    ['設計者はアダ・リンドクヴィスト氏です。', /リンドクヴィスト/],
  ]),
  paraphrase: claims([
    ['Queen Ingrid inaugurated the crossing in the middle of May 1931.', opening],
    ['Ada Lindqvist was responsible for its design.', /designed by the engineer Ada/],
    ['It took six years to build and the price was 12 million crowns.', /Construction cost 12 million/],
    ['Roughly 41 thousand cars use it daily.', /41,000 vehicles/],
    ['Drivers have paid nothing since 1968.', /toll was charged until 1968/],
  ]),
};
