/**
 * Records the logs of real searches from which the doors are tested, a JSON line an event: test/compat/logs/<name>.jsonl.
 * Run by hand after a change of the events: `node --import tsx test/support/scripts/record-logs.ts`.
 */
import { writeFileSync } from 'node:fs';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { SearchFrame } from '../../../protocol/index.ts';
import { evidenceIn, goodModel, type Script, sentenceOf, startModelServer } from '../servers/model-server.ts';
import { article, startWebServer } from '../servers/web-server.ts';
import { startTestApp, type TestApp } from '../start-app.ts';

interface Recording {
  readonly request: object;
  readonly script: Script;
  /** Cancels once an event of this type has come. */
  readonly cancelAt?: string;
}

const folder = new URL('../../compat/logs/', import.meta.url);
const pages = {
  '/heron': article(
    'Heron Point Lighthouse',
    'The Heron Point Lighthouse was designed by the engineer Ingrid Solvay in 1886. It was lit for the first time in March 1887.',
    'The tower at Heron Point is 42 metres high and stands on a granite base.',
  ),
  '/solvay': article(
    'Ingrid Solvay',
    'Ingrid Solvay was an engineer who designed the lighthouse at Heron Point. She was born in Bergen in 1851.',
  ),
  '/almanac': article('Coast almanac', 'The Heron Point Lighthouse was designed by the architect Ole Brandt in 1891.'),
};
const prompt = 'Who designed the Heron Point Lighthouse?';

/** Writes this about the evidence, a word at a time. */
const writes =
  (status: string, ms = 25): Script =>
  (call, count) => {
    if (call.kind !== 'write') return goodModel(call, count);
    const cited = evidenceIn(call).map(({ n, text }) => `${sentenceOf(text)} [${n}]`);
    return { text: `STATUS: ${status}\n\n${cited.join('\n\n')}`, ms };
  };

const recordings: Record<string, Recording> = {
  text: { request: { prompt }, script: writes('answered') },
  partial: { request: { prompt }, script: writes('partial') },
  conflicting: { request: { prompt }, script: writes('conflicting') },
  structured: { request: { prompt, output_format: { designer: 'string', year: 'number' } }, script: goodModel },
  refused: { request: { prompt: 'How many moons does Zenthia have?' }, script: () => ({ text: 'STATUS: not_found' }) },
  failed: { request: { prompt, max: { seconds: 0.02 } }, script: () => ({ text: '{}', ms: 2_000, wholeMs: 2_000 }) },
  cancelled: { request: { prompt }, script: writes('answered', 100), cancelAt: 'answer.delta' },
};

async function record(app: TestApp, { request, cancelAt }: Recording): Promise<object[]> {
  const response = await app.post('/v1/search', request, { accept: 'text/event-stream' });
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const frames: object[] = [];
  for await (const { data, event } of events) {
    const frame = JSON.parse(data) as SearchFrame;
    if (event === cancelAt) {
      await fetch(`${app.url}/v1/search/${frame.search_id}`, { method: 'DELETE', headers: { 'x-api-key': app.key } });
    }
    frames.push(...singles(frame));
  }
  return frames;
}

/** Deltas that came as one, as as many as they were, of about the same length. */
function singles({ first_seq, ...frame }: SearchFrame): object[] {
  if (first_seq === undefined || frame.type !== 'answer.delta') return [frame];
  const count = frame.seq - first_seq + 1;
  const cut = (at: number) => Math.floor((at * frame.text.length) / count);
  return Array.from({ length: count }, (_, at) => {
    return { ...frame, seq: first_seq + at, from: frame.from + cut(at), text: frame.text.slice(cut(at), cut(at + 1)) };
  });
}

await using web = await startWebServer(pages);
await using model = await startModelServer();
await using app = await startTestApp({
  MODEL: 'scripted',
  OPENAI_BASE_URL: model.url,
  SEARXNG_URL: web.url,
  FETCH_ALLOW_HOSTS: web.host,
});
for (const [name, recording] of Object.entries(recordings)) {
  model.script = recording.script;
  web.found = () => (name === 'refused' ? [] : [...web.pages.keys()]);
  const lines = (await record(app, recording)).map((frame) => JSON.stringify(frame));
  const text = `${lines.join('\n')}\n`.replaceAll(web.host, 'pages.example.org');
  writeFileSync(new URL(`${name}.jsonl`, folder), text);
  console.log(
    name,
    lines.length,
    /"type":"([\w.]+)"/.exec(lines.at(-1)!)?.[1],
    /"status":"(\w+)"/.exec(lines.at(-1)!)?.[1],
  );
}
