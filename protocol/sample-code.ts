/**
 * Pieces of programs that call the API, for pages and answers of the server to show. Texts are quoted, so that none is taken for
 * code.
 */

/** A word of a POSIX shell. */
export function shellQuoted(text: string): string {
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

interface PythonCall {
  readonly url: string;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is done with the `response`: lines of the block in which it is open. */
  readonly read: readonly string[];
}

/** A program for Python 3 alone that posts a body; `<API_KEY>` stands for the key. */
export function pythonCall({ url, body, headers = {}, read }: PythonCall): string {
  const all = { 'X-API-Key': '<API_KEY>', 'Content-Type': 'application/json', ...headers };
  return [
    'import json',
    'import urllib.request',
    '',
    `body = ${pythonLiteral(body)}`,
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    '    data=json.dumps(body).encode(),',
    '    headers={',
    ...Object.entries(all).map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    '    },',
    ')',
    'with urllib.request.urlopen(request) as response:',
    ...read.map((line) => `    ${line}`),
    '',
  ].join('\n');
}
