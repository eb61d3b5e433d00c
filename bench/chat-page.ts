/**
 * What the chat costs the browser while an answer of 2,000 deltas streams: CPU time of scripting on the main thread per
 * frame, from Chromium's own trace, for answers of three shapes. Needs Chromium.
 */
import type { Browser } from 'playwright-core';
import { openBrowser, openPage } from '../test/support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  saying,
  searchIdOf,
  startChatServer,
  waitForAnswer,
} from '../test/support/browser/chat.ts';
import { quantile } from './support/stats.ts';
import { formatMs, formatTable } from './support/table.ts';

/** Sentences differ, because the server ends an answer that repeats itself. */
const cited = 'The tower is 46 metres high and **painted** in red and `white` bands. [1]';
const sentence = (i: number) =>
  `Step ${i} of ${i * 7} takes *${i % 9}* days, ${i * 31} stones and the \`crane-${i}\` of the quarry.`;
const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => (i % 4 === 0 ? `${sentence(i)} ${cited}` : sentence(i)));

/** Each has enough tokens for about 2,000 deltas. */
const shapes: Readonly<Record<string, string>> = {
  'headings, paragraphs and lists': sentences(110)
    .map((text, i) => (i % 5 === 0 ? `## Part ${i}\n\n${text}\n` : i % 5 === 1 ? `${text}\n` : `- ${text}`))
    .join('\n'),
  'one paragraph': sentences(110).join(' '),
  'lines of code': `\`\`\`js\n${Array.from({ length: 1_000 }, (_, i) => `const height${i} = await tower.measure({ unit: ${i * 13} });`).join('\n')}\n\`\`\``,
};

/** Prints a table with a row for each shape of answer. */
export default async function run(): Promise<void> {
  await using server = await startChatServer();
  const browser = await openBrowser();
  const rows = [];
  for (const [shape, text] of Object.entries(shapes)) rows.push([shape, ...(await measure(browser, server, text))]);
  await browser.close();
  process.stdout.write(`${formatTable(['answer', 'events', 'frames', 'over 8 ms', 'p50', 'p99', 'max'], rows)}\n`);
}

async function measure(browser: Browser, server: ChatServer, text: string): Promise<(string | number)[]> {
  server.model.script = saying(text, 9);
  await using opened = await openPage(browser, server.app.url, { key: server.app.key });
  const { page } = opened;
  await page.getByLabel('Your question').waitFor();
  await browser.startTracing(page, { categories: ['devtools.timeline', 'cc'] });
  await ask(page);
  await page.locator('.prose').waitFor();
  await waitForAnswer(page, 110_000);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const frames = scriptingOfFrames(trace.traceEvents);
  const record = await server.app.get(`/v1/search/${searchIdOf(page)}`);
  const { head_seq } = (await record.json()) as { head_seq: number };
  const over = frames.filter((time) => time > 8).length;
  return [
    head_seq,
    frames.length,
    over,
    formatMs(quantile(frames, 0.5)),
    formatMs(quantile(frames, 0.99)),
    formatMs(Math.max(...frames)),
  ];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, where the trace has it: the machine may be shared. */
  readonly tdur?: number;
}

const scripting = new Set([
  'FunctionCall',
  'FireAnimationFrame',
  'RunMicrotasks',
  'TimerFire',
  'EventDispatch',
  'V8.GC_SCAVENGER',
  'MinorGC',
  'MajorGC',
]);

/** Milliseconds of scripting between the start of one frame and the next, for every frame that had any. */
function scriptingOfFrames(events: readonly TraceEvent[]): number[] {
  const scripts = events.filter(({ name, ph }) => ph === 'X' && scripting.has(name));
  const { pid, tid } = scripts.reduce((most, each) => (timeOf(each) > timeOf(most) ? each : most));
  const onMain = (each: TraceEvent) => each.pid === pid && each.tid === tid;
  const begins = events.filter((each) => onMain(each) && each.name === 'ProxyMain::BeginMainFrame').map(({ ts }) => ts);
  const sorted = [...new Set(begins)].sort((a, b) => a - b);
  const byFrame = new Map<number, number>();
  let end = 0;
  let frame = -1;
  for (const each of scripts.filter(onMain).sort((a, b) => a.ts - b.ts)) {
    // A script that runs within another is counted with it.
    if (each.ts < end) continue;
    end = each.ts + (each.dur ?? 0);
    while (frame + 1 < sorted.length && sorted[frame + 1]! <= each.ts) frame += 1;
    byFrame.set(frame, (byFrame.get(frame) ?? 0) + timeOf(each) / 1_000);
  }
  return [...byFrame.values()];
}

function timeOf({ tdur, dur }: TraceEvent): number {
  return tdur ?? dur ?? 0;
}
