/** What a model writes around its answer: thoughts and its verdict, however the stream is cut into pieces. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/engine/ports/model.ts';
import { thinksUnopened, withoutThoughts } from '../../../src/model/language/thoughts.ts';
import { readVerdict } from '../../../src/model/language/verdict.ts';

async function read(text: string, sizes: readonly number[], isThinker = false) {
  async function* pieces() {
    for (let at = 0, i = 0; at < text.length; i += 1) {
      const size = sizes[i % sizes.length]!;
      yield text.slice(at, at + size);
      at += size;
    }
  }
  let answer = '';
  let status: Verdict['status'] | undefined;
  for await (const piece of readVerdict(pieces(), isThinker)) {
    if (typeof piece === 'string') answer += piece;
    else status = piece.status;
  }
  return { answer, status };
}

const answered = (answer: string) => ({ answer, status: 'answered' as const });
/** What an answer says in code is its own. */
const inCode = [
  '```json\n{"status": "partial", "amount": 5}\n```',
  '```json\n{\n  "status": "partial",\n  "amount": 5\n}\n```',
  '```yaml\nstatus: partial\nretries: 3\n```',
  '~~~\nSTATUS: not_found\n~~~',
  '```sh\necho done. STATUS: partial\n```',
  '```xml\n<analysis>\n  <reason>late</reason>\n</analysis>\n```',
  '```html\n<p>\n<think>\n</p>\n```',
  '```c++ title="a.cpp"\nint x; // done.\nSTATUS: partial\n```',
  '~~~\n</think>\n[THINK]\n~~~',
].map((code) => `Send this:\n\n${code}\n\nIt is stored. [1]`);
/** What a page says of a status, below the verdict. */
const said = [
  '- **Status: answered** means that it was read. [1]\n- **Status: not found** means that it was not.',
  'The response:\n\n- Status: Partial Content\n- STATUS: partial\n- Code: 206 [1]',
  'Status: Partial Content\n\nIt is sent. [1]',
  'The field `STATUS: partial` means that a part came. [1] It says STATUS: partial then.',
  'It is `done. STATUS: partial`',
  '| Field | Value |\n|---|---|\n| STATUS | answered |\n| Height | 46 metres [1] |',
  'So it is. [1]\n\n## Status\n\nPartial\n\nStatus: ✅\n\nEstado: partial\n\nSo. Status: answered',
  'It ends with\n\n> STATUS: partial\n\n- STATUS: partial',
];
const wanted: readonly (readonly [string, Awaited<ReturnType<typeof read>>])[] = [
  ...inCode.map((text) => [`STATUS: answered\n\n${text}`, answered(text)] as const),
  ...said.map((text) => [`STATUS: answered\n\n${text}`, answered(text)] as const),
  ['STATUS: answered\n\nHi. [1]', answered('Hi. [1]')],
  ['STATUS: answered\n\nHi. [1]\n\nSTATUS: answered', answered('Hi. [1]')],
  ['STATUS: answered\n\nHi. [1] STATUS: answered', answered('Hi. [1]')],
  ['STATUS: answered\nStatus: answered\n\nHi. [1]', answered('Hi. [1]')],
  ['STATUS: answered\n\nHi. [1]\n\n**STATUS: partial**\n\nHo.', { answer: 'Hi. [1]\n\nHo.', status: 'partial' }],
  [
    '{"answer": "Hi. [1]\\n\\nIt is \\"so\\". \\u00c4 \\ud83d\\ude00 [2]"}',
    { answer: 'Hi. [1]\n\nIt is "so". Ä 😀 [2]', status: undefined },
  ],
  ['{"status": "partial", "answer": "Hi. [1]", "sources": [{"id": 1}]}', { answer: 'Hi. [1]', status: 'partial' }],
  ['```json\n{\n  "answer": "Hi. [1]",\n  "status": "answered"\n}\n```\n', answered('Hi. [1]')],
  ['{"answer": "He said "hi", and went. [1]"\n}', { answer: 'He said "hi", and went. [1]', status: undefined }],
  ['{"answer": "Hi. [1]"', { answer: 'Hi. [1]', status: undefined }],
  ['{"answer": "Hi. [1]", "status": "partial"}\n\nHo. [2]', { answer: 'Hi. [1]\n\nHo. [2]', status: 'partial' }],
  [
    '{"answer": "The words are "red", "green" and "blue". [1]"}',
    { answer: 'The words are "red", "green" and "blue". [1]', status: undefined },
  ],
  ['STATUS: answered\n\n{"answer": "Hi. [1]"}', answered('Hi. [1]')],
  ['<think>hm</think>{"final_answer":"Hi. [1]"}', { answer: 'Hi. [1]', status: undefined }],
  ['Hi. [1]\n\n[TOOL_CALLS]search[ARGS]{"query": "x"}', { answer: 'Hi. [1]', status: undefined }],
  ['**STATUS: answered**\n\nHi', answered('Hi')],
  ['## Status: answered\n\nHi', answered('Hi')],
  ['STATUS: answered The rest', answered('The rest')],
  ['STATUS: answered – The rest', answered('The rest')],
  ['STATUS: partial — not who built it.\n\nHi', { answer: 'not who built it.\n\nHi', status: 'partial' }],
  ['Hi.\n\nSTATUS: answered', answered('Hi.')],
  ['Hi. STATUS: answered', answered('Hi.')],
  ['Sure!\n\nSTATUS: answered\n\nHi', answered('Sure!\n\nHi')],
  ['Hi\n\n```\nSTATUS: answered\n```', answered('Hi')],
  ['STATUS: beantwortet\n\nHallo', answered('Hallo')],
  ['Statut : répondu\n\nSalut', answered('Salut')],
  ['状态：已回答\n\n你好', answered('你好')],
  ['STATUS: NOT FOUND\n\nNothing says so.', { answer: 'Nothing says so.', status: 'not_found' }],
  ['STATUS: not_found', { answer: '', status: 'not_found' }],
  ['STATUS: FERTIG\n\nHallo', { answer: 'Hallo', status: undefined }],
  ...[
    ...['Status - answered', 'STATUS answered', 'STATUS → answered', '{STATUS: answered}', '<status>answered</status>'],
    ...['{"status": "answered"}', 'Status: Fully answered', 'Status: Answered!', 'STATUS: answered, with citations'],
    ...['STATUS: answered (fully)', '✅ STATUS: answered', 'Final STATUS: answered', 'Answer status: answered'],
    ...['Antwortstatus: beantwortet', '# STATUS\nanswered', 'STATUS:\nanswered', '**STATUS**\n\n**answered**'],
    ...['1. STATUS: answered', 'Stav: zodpovězeno', 'Durum: cevaplandı', 'Tình trạng: đã trả lời', 'Status: besvarad'],
    ...['สถานะ: ตอบแล้ว', 'Tila: vastattu', 'Stan: odpowiedziano', 'स्थिति: उत्तर दिया'],
  ].flatMap((line): [string, Awaited<ReturnType<typeof read>>][] => [
    [`${line}\n\nHi. [1]`, answered('Hi. [1]')],
    [`Hi. [1]\n\n${line}`, answered('Hi. [1]')],
  ]),
  ...[
    ...[
      'STATUS: beantwortet',
      'Status: answered.',
      '状态：已回答',
      'STATUT : répondue',
      '"STATUS: answered"',
      'Estado: respondida',
    ],
    ...[
      '[STATUS: answered]',
      '**STATUS:** answered',
      'STATUS: Answered (high confidence)',
      '<!-- STATUS: answered -->',
    ],
  ].map((line): [string, Awaited<ReturnType<typeof read>>] => [`Hi. [1] ${line}`, answered('Hi. [1]')]),
  ...[
    '• STATUS: answered',
    '| STATUS: answered |',
    '\u200bSTATUS: answered',
    '```json\n{"status":"answered"}\n```',
    '### Status\n\nanswered',
  ].map((line): [string, Awaited<ReturnType<typeof read>>] => [`${line}\n\nHi. [1]`, answered('Hi. [1]')]),
  ['Status: ✅\n\nHi', answered('Hi')],
  ['Hi.\n\n**Status:** ✔️', answered('Hi.')],
  ['STATUS: ✅\nHi', answered('Hi')],
  ['Status: ❌\n\nNothing says so.', { answer: 'Nothing says so.', status: 'not_found' }],
  ['One.\n\nTwo, and three</think>\n\nSTATUS: answered\n\nHi', answered('One.\n\nTwo, and three\n\nHi')],
  ['STATUS: answered\n\nHi\n\nI look at it</think>', answered('Hi\n\nI look at it')],
  ['STATUS: partially answered\n\nHi', { answer: 'Hi', status: 'partial' }],
  ['STATUS: conflicting sources\n\nHi', { answer: 'Hi', status: 'conflicting' }],
  ['STATUS: answered\n\nHi. [1] <think>a</think>Ho.', answered('Hi. [1] Ho.')],
  ['STATUS: answered\n\nHi. [1] </think>Ho.', answered('Hi. [1] Ho.')],
  ['STATUS: answered\n\nHi. [1]\n\n<Thinking>a\n\nb</Thinking >\nHo.', answered('Hi. [1]\n\nHo.')],
  ['<|channel>thought\na\n\nb<channel|>STATUS: answered\n\nHi', answered('Hi')],
  ['<unused94>thought\na<unused95>STATUS: answered\n\nHi', answered('Hi')],
  ['<think/>STATUS: answered\n\nHi', answered('Hi')],
  ['[THINKING]a[/THINKING]STATUS: answered\n\nHi', answered('Hi')],
  ['Status: not found in sources\n\nNothing says so.', { answer: 'Nothing says so.', status: 'not_found' }],
  ['```markdown\nSTATUS: answered\n\nHi\n\n```js\na[1]\n```\nmore\n```', answered('Hi\n\n```js\na[1]\n```\nmore')],
  ['Hi\n```js\nfoo\n```\nSTATUS: answered', answered('Hi\n```js\nfoo\n```')],
  ['<think>a</think>\n\nSTATUS: answered\n\nHi', answered('Hi')],
  ['<think>a<think>b</think>c</think>STATUS: answered\n\nHi', answered('Hi')],
  ['<think>I close <think> now</think>\n\nSTATUS: answered\n\nHi', answered('Hi')],
  ['<thinking>\na [1]\n\nb\n</thinking>\nHi', { answer: 'Hi', status: undefined }],
  ['Okay, a bridge.\n</think>\n\nSTATUS: answered\n\nHi', answered('Hi')],
  ['[THINK]a[/THINK]STATUS: answered\n\nHi', answered('Hi')],
  ['<|thinking|>a\n\nb<|/thinking|>STATUS: answered\n\nHi', answered('Hi')],
  ['<think type="deep">a\n\nb</think>STATUS: answered\n\nHi', answered('Hi')],
  ['<antThinking>a\n\nb</antThinking>STATUS: answered\n\nHi', answered('Hi')],
  ['<chain_of_thought>a\n\nb</chain_of_thought>STATUS: answered\n\nHi', answered('Hi')],
  ['[REASONING]a\n\nb[/REASONING]STATUS: answered\n\nHi', answered('Hi')],
  ['<|START_THINKING|>a\n\nb<|END_THINKING|><|START_RESPONSE|>STATUS: answered\n\nHi<|END_RESPONSE|>', answered('Hi')],
  ['<think>a</think>\n<answer>STATUS: answered\n\nHi</answer>', answered('Hi')],
  ['STATUS: answered\n\nHi<｜end▁of▁sentence｜>', answered('Hi')],
  ['STATUS: answered\n\nHi. [1]</s>', answered('Hi. [1]')],
  ['STATUS: answered\n\nHi. [1]</answer>', answered('Hi. [1]')],
  ['<start_of_turn>model\nSTATUS: answered\n\nHi. [1]<end_of_turn>', answered('Hi. [1]')],
  ['[/INST] STATUS: answered\n\nHi. [1]', answered('Hi. [1]')],
  ['<|begin_of_box|>STATUS: answered\n\nHi. [1]<|end_of_box|>', answered('Hi. [1]')],
  ['<|start_header_id|>assistant<|end_header_id|>\n\nSTATUS: answered\n\nHi. [1]<|eot_id|>', answered('Hi. [1]')],
  ['STATUS: answered\n\nHi.\u001b[31m [1]\u0007 \u009b0mHo.\u0000', answered('Hi.[31m [1] 0mHo.')],
  [
    'STATUS: answered\n\nIt ends with `</think>` or </think> there. [1]',
    answered('It ends with `</think>` or </think> there. [1]'),
  ],
  [
    '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>STATUS: answered\n\nHi<|return|>',
    answered('Hi'),
  ],
];
const untouched = [
  'Status: 200 OK is what it returns.\n\nMore text.',
  'The status of the bridge: closed.\n\n- State: open\n- Stand: 1 May',
  '```\nconst a = 1;\n\n\nconst b = 2;\n```\n\nText with <b>tags</b> and `<think>` in it.',
  'The call failed. Status: not found\n\nIt was Status: closed.',
  'Use the <think> tag, or a[1] < b[2].\n\nSecond paragraph <',
  'A | B\n---|---\n1 | 2',
  'Put it in <answer> and </answer>, or in an <response>.\n\nThe [REASONING] of <b>it</b>.',
  '{"amount": 5} is what the page says. [1]',
  '{"name": "answer", "answer": "x"}',
  '{"text": "x", "tags": []}',
  '{"response": "ok", "id": 5} is what the server returns. [1]',
  '`{"answer": "x"}` is sent. [1]',
  'The object is {"answer": "x"}. [1]',
  '{',
  'STATUE: it is open.',
  '```json\n{"query": "x"}\n```\n\nis sent. [1]',
  'Final words: the bridge is old.\n\nAnswer - it was opened in 1931.\n\nStan Laurel opened it.\n\n✅ Done',
  'The build of May:\nStatus: ✅\n\n- Status: ✅\n- Stand: ✅\n\nStatus: ✅ for all jobs.',
  'First.\n\nThe tag `</think>` and </think> end it.',
  '## Status\n\nIt is open.\n\n| Status | Answered |\n|---|---|\n| a | b |',
];
const pieceSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });

describe('the answer in the stream of a model', () => {
  it.each(wanted)('is found in %j, however it is cut', async (text, found) => {
    await fc.assert(
      fc.asyncProperty(pieceSizes, async (sizes) => {
        expect(await read(text, sizes)).toEqual(found);
      }),
      { numRuns: 40 },
    );
  });

  it.each(untouched)('is passed on as it is: %j', async (text) => {
    await fc.assert(
      fc.asyncProperty(pieceSizes, async (sizes) => {
        expect(await read(text, sizes)).toEqual({ answer: text, status: undefined });
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    'STATUS: answered\n\nThe model writes <think> and ends with </think>. Hi. [1]',
    'First.\n\nIt ends with </think>. Second.',
  ])('keeps what was said before a mention of the end of thoughts, in one piece: %j', async (text) => {
    expect((await read(text, [text.length])).answer).toBe(text.replace('STATUS: answered\n\n', ''));
  });

  it.each([
    '<tool_call>\n{"name":"search"}\n</tool_call>',
    'STATUS: answered\n\n<tool_call>{"name":"search"}</tool_call>',
    '',
    '  \n',
    '[TOOL_CALLS]search[ARGS]{"query": "x"}',
    '{"answer": ""}',
    '<think>never ends',
    '<think>all</think>',
    'STATUS: answered\n\n',
  ])('fails if it is empty: %j', async (text) => {
    await expect(read(text, [3])).rejects.toThrow('it returned an empty answer.');
  });

  it('waits for the end of long thoughts that nothing opened, if the model is known for them', async () => {
    const text = `${'I think about the bridge.\n\n'.repeat(40)}</think>\n\nThe answer.`;
    expect(thinksUnopened(text)).toBe(true);
    expect(await read(text, [7], true)).toEqual({ answer: 'The answer.', status: undefined });
  });

  it('is passed on at the first words after its status', async () => {
    async function* pieces() {
      yield 'STATUS: answered\n\nThe';
      yield ' bridge';
      await new Promise(() => {});
    }
    const stream = readVerdict(pieces());
    expect((await stream.next()).value).toEqual({ status: 'answered' });
    expect((await stream.next()).value).toBe('The');
    expect((await stream.next()).value).toBe(' bridge');
  });

  it.each(['`', '~', '```js x'])('is not held back by a line of %j that never ends', async (marks) => {
    let given = 0;
    async function* pieces() {
      yield 'STATUS: answered\n\nSo:\n\n';
      for (; given < 2_000; given += 1) yield marks;
    }
    const stream = readVerdict(pieces());
    for (let received = ''; received.length < 200; ) {
      const { value } = await stream.next();
      if (typeof value === 'string') received += value;
    }
    expect(given).toBeLessThan(400);
  });

  it.each([
    ['spaces', ' '],
    ['tabs', '\t'],
    ['spaces before the beginning of a status', ' S'],
    ['sentences and spaces', '.  '],
  ])('is read in one pass over 200 kB of %s: quadratic work would not end in time', async (_, unit) => {
    const run = unit.repeat(Math.ceil(200_000 / unit.length));
    const said = `Hi. It is so.${run}x`;
    for (const size of [100, said.length])
      expect(await read(said, [size])).toEqual({ answer: said, status: undefined });
  });

  it.each(['\n', ' \n', '\t\n'])('is read in one pass over blank lines, too: %j', async (unit) => {
    for (const before of ['', 'Hi.', '```\n', '<think>a', 'STATUS:']) {
      const text = `${before}${unit.repeat(60_000)}x`;
      expect(withoutThoughts(text).length).toBeLessThanOrEqual(text.length);
      for (const size of [500, text.length]) await read(text, [size]).catch(() => {});
    }
  });

  it('finds a verdict after more white space than it waits for', async () => {
    for (const size of [7, 2_000]) {
      const { answer, status } = await read(`Hi.${' '.repeat(900)}STATUS: partial`, [size]);
      expect([answer.trimEnd(), status]).toEqual(['Hi.', 'partial']);
    }
  });

  it('is JSON without the thoughts around it', () => {
    expect(withoutThoughts('<think>{"a": 0}</think>{"a": 1}')).toBe('{"a": 1}');
    expect(withoutThoughts('{"a": 0} or so\n</think>\n{"a": 1}').trim()).toBe('{"a": 1}');
    expect(withoutThoughts('<think>{"a": 0}')).toBe('');
  });
});
