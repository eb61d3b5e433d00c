/** The request of the playground as a program: for a shell, with the TypeScript client, and in plain Python. */
import { pythonCall, shellQuoted } from '../../../../protocol/sample-code.ts';

export const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;
export type Language = keyof typeof languages;

interface Sample {
  readonly origin: string;
  /** What the playground sends. */
  readonly request: unknown;
  readonly transport: 'websocket' | 'sse';
}

/** The key is a placeholder. Texts are quoted, so that no shell or interpreter takes them for code. */
export const samples: Readonly<Record<Language, (sample: Sample) => string>> = {
  curl: ({ origin, request }) =>
    [
      `curl -N ${shellQuoted(`${origin}/v1/search`)}`,
      "-H 'X-API-Key: <API_KEY>'",
      "-H 'Content-Type: application/json'",
      "-H 'Accept: text/event-stream'",
      `-d ${shellQuoted(JSON.stringify(request))}`,
    ].join(' \\\n  '),

  // Without a transport, the client takes a WebSocket where there is one: Node 20 has none.
  typescript: ({ origin, request, transport }) => `import { createClient } from 'citewire/client';

const client = createClient({ baseUrl: ${JSON.stringify(origin)}, apiKey: '<API_KEY>' });
const search = client.search(${JSON.stringify(request, null, 2)}${transport === 'websocket' ? '' : `, { transport: '${transport}' }`});
for await (const event of search) console.log(event.seq, event.type, event);
console.log(await search.result);
client.close();
`,

  python: ({ origin, request }) =>
    pythonCall({
      url: `${origin}/v1/search`,
      body: request,
      headers: { Accept: 'text/event-stream' },
      read: [
        'for line in response:',
        '    if line.startswith(b"data: "):',
        '        event = json.loads(line[6:])',
        '        print(event["seq"], event["type"], event)',
      ],
    }),
};
