/** Endpoints that fail, stall or are slow, and models that give nothing or too much. */
import { answered, type Behaviour, bestSentences, rejection, says, speech, writes } from './behaviour.ts';

const plain: Behaviour = says({});
const limited = (retryAfter?: string) => ({
  ...rejection(429, 'Rate limit', { code: 'rate_limit_exceeded' }),
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
});

/** Something that happens to answers alone, at this share of their text. */
const midway =
  (share: number, happens: (text: string) => ReturnType<Behaviour>): Behaviour =>
  (call, count) => {
    const text = speech(call);
    if (call.kind !== 'write' && call.kind !== 'fill') return plain(call, count);
    return happens(text.slice(0, Math.floor(text.length * share)));
  };

export const faults: Record<string, Behaviour> = {
  toolonly: () => ({ tool: 'web_search' }),
  refusal: () => ({ refusal: 'I cannot help with that.' }),
  filter: midway(0.5, (text) => ({ text, finish: 'content_filter' })),
  length: midway(0.7, (text) => ({ text, finish: 'length' })),
  empty: () => ({ text: '' }),
  'empty-write': says({ write: () => '', fill: () => '' }),
  r429: (call, count) => (count % 2 === 1 ? limited('0') : plain(call, count)),
  'r429-long': () => limited('30'),
  'r429-burst': (call, count) => (count <= 4 ? limited() : plain(call, count)),
  r500: (call, count) => (count % 2 === 1 ? rejection(500, 'oops') : plain(call, count)),
  'r500-always': () => rejection(500, 'oops'),
  r503html: () => ({
    status: 503,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Service Unavailable</h1>',
  }),
  reset: midway(0.5, (cutAfter) => ({ cutAfter })),
  'reset-early': midway(0.02, (cutAfter) => ({ cutAfter })),
  'hang-mid': midway(0.5, (stallAfter) => ({ stallAfter })),
  'hang-first': () => ({ stallAfter: '' }),
  'hang-keepalive': midway(0.5, (stallAfter) => ({ stallAfter, pingMs: 100 })),
  'cold-keepalive': (call) => ({ text: speech(call), pingsFirstMs: 40_000 }),
  slow1: (call) => ({ text: speech(call), ...(isAnswer(call.kind) ? { ms: 500 } : {}) }),
  slow5: (call) => ({ text: speech(call), ms: 20, wholeMs: 300 }),
  serial: (call) => ({ text: speech(call), wholeMs: 100, ...(isAnswer(call.kind) ? { ms: 2 } : {}) }),
  long: writes((call) => {
    const list = bestSentences(call, 40);
    const points = Array.from({ length: 400 }, (_, i) => {
      const { n, text } = list[i % list.length]!;
      return `Point ${'abcdefghij'[i % 10]}${i}: ${text} [${n}]`;
    });
    return answered + points.join('\n\n');
  }),
  longlegal: writes(
    (call) =>
      answered +
      bestSentences(call, 60)
        .map(({ n, text }) => `${text} [${n}]`)
        .join('\n\n'),
  ),
  repeat: writes((call) => {
    const [first] = bestSentences(call, 1);
    return answered + `${first!.text} [${first!.n}] `.repeat(60);
  }),
};

function isAnswer(kind: string): boolean {
  return kind === 'write' || kind === 'fill';
}
