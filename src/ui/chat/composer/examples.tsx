/** Questions that a server can answer that was only just started, from the documentation it is installed with. */

import { ask } from '../thread/thread.ts';
import { noOptions, requestOf } from './request.ts';

const examples = [
  'How do I set a request timeout in undici?',
  'How do I redact secrets from logs in pino?',
  'How do I close a piscina pool gracefully?',
  'How do I detect broken connections in ws?',
] as const;

export function Examples() {
  return (
    <ul class="examples" aria-label="Examples">
      {examples.map((prompt) => (
        <li key={prompt}>
          <button type="button" class="example" onClick={() => ask(requestOf(prompt, noOptions))}>
            {prompt}
          </button>
        </li>
      ))}
    </ul>
  );
}
