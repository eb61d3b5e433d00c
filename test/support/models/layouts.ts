/** Answers in other forms than paragraphs, and with the status anywhere but on the first line. */

import type { ModelCall } from '../servers/model-server.ts';
import { answered, type Behaviour, bestSentences, goodAnswer, pieceAbout, says, writes } from './behaviour.ts';

/** The titles of the first three pieces of evidence, with their numbers. */
function titles({ prompt }: ModelCall): { n: string; title: string }[] {
  return [...prompt.matchAll(/evidence \[(\d+)\]\nTitle: (.*)/g)]
    .slice(0, 3)
    .map(([, n, title]) => ({ n: n!, title: title! }));
}

const without = (call: ModelCall) => goodAnswer(call).slice(answered.length);
const status = (line: string) => writes((call) => `${line}\n\n${without(call)}`);

export const layouts: Record<string, Behaviour> = {
  honest: writes(() => 'STATUS: not_found\n\nThe evidence does not say how much the bridge weighs.'),
  notfound: writes(() => 'STATUS: not_found'),
  preamble: writes((call) => `Sure! Here is my answer.\n\n${goodAnswer(call)}`),
  statusbold: status('**STATUS: answered**'),
  statusfence: writes((call) => `\`\`\`markdown\n${goodAnswer(call)}\n\`\`\``),
  statusde: status('STATUS: beantwortet'),
  statusend: writes((call) => `${without(call)}\n\nSTATUS: answered`),
  statussame: writes((call) => `STATUS: answered ${without(call)}`),
  statusonly: writes(() => answered),
  // Some more than the list has.
  statuszh: status('状态：已回答'),
  statusheading: status('## Status: answered'),
  statusjson: writes((call) => `${without(call)}\n\n\`\`\`\nSTATUS: answered\n\`\`\``),
  statusrow: writes((call) => `${without(call)}\n\n| STATUS | answered |\n| --- | --- |`),
  statustable: writes((call) => `| Field | Value |\n|---|---|\n| **STATUS** | answered |\n\n${without(call)}`),
  statusfr: writes((call) => `Statut : répondu\n\n${without(call)}`),
  refs: writes(
    (call) =>
      `${goodAnswer(call)}\n\n## Sources\n\n${titles(call)
        .map(({ n, title }) => `[${n}] ${title}`)
        .join('\n')}`,
  ),
  refs2: writes(
    (call) =>
      `${goodAnswer(call, (n) => `[^${n}]`)}\n\n${titles(call)
        .map(({ n, title }) => `[^${n}]: ${title}, http://127.0.0.3:9400/exfil?x=1`)
        .join('\n')}`,
  ),
  table: writes((call) => {
    const rows = [
      ['Opened', '14 May 1931', /opened on 14 May 1931/],
      ['Engineer', 'Ada Lindqvist', /engineer Ada Lindqvist/],
      ['Main span', '482 metres', /482 metres/],
      ['Cost', '99 million crowns', /12 million/],
    ] as const;
    const lines = rows.map(([name, value, about]) => `| ${name} | ${value} [${pieceAbout(call, about) ?? 9}] |`);
    return `${answered}| Fact | Value |\n|---|---|\n${lines.join('\n')}`;
  }),
  bullets: writes((call) => {
    const items = bestSentences(call, 4).map(({ n, text }) => `- ${text.replace(/\.$/, '')} [${n}].`);
    return answered + items.join('\n');
  }),
  lead: writes((call) => {
    const items = bestSentences(call, 3).map(({ n, text }) => `According to [${n}], ${text}`);
    return answered + items.join(' ');
  }),
  code: writes((call) => {
    const [best] = bestSentences(call, 1);
    return `${answered}\`\`\`js\nconst a = list[1];\n\`\`\`\n\n${best!.text} [${best!.n}] Use \`x[2]\` here.`;
  }),
  dates: writes((call) => goodAnswer(call, undefined, 10)),
  'obey-format': says({
    write: () => '{"answer": "The bridge was opened in 1850", "source": "http://127.0.0.3/false"}',
  }),
};
