/** The request of the playground as a program: for a shell, with the client of TypeScript, and with Python alone. */

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

  typescript: ({ origin, request, transport }) => `import { createClient } from 'citewire/client';

const client = createClient({ baseUrl: ${JSON.stringify(origin)}, apiKey: '<API_KEY>' });
const search = client.search(${JSON.stringify(request, null, 2)}, { transport: '${transport}' });
for await (const event of search) console.log(event.seq, event.type, event);
console.log(await search.result);
client.close();
`,

  python: ({ origin, request }) => `import json
import urllib.request

body = ${pythonLiteral(request)}
request = urllib.request.Request(
    ${JSON.stringify(`${origin}/v1/search`)},
    data=json.dumps(body).encode(),
    headers={
        "X-API-Key": "<API_KEY>",
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
    },
)
with urllib.request.urlopen(request) as response:
    for line in response:
        if line.startswith(b"data: "):
            event = json.loads(line[6:])
            print(event["seq"], event["type"], event)
`,
};

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A JSON value in Python, whose strings have the escapes of JSON. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`);
  return `{${fields.join(', ')}}`;
}
