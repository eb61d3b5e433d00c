/** Questions that a new server can answer from the documentation of its installed packages. */

import { ask } from '../thread/thread.ts';
import { buildRequest, defaultOptions } from './search-options.ts';

const examples = [
  'How does pino redact sensitive values?',
  'How do I close a piscina pool gracefully?',
  'How do I detect broken connections in ws?',
] as const;

export function Examples() {
  return (
    <ul class="examples" aria-label="Example questions">
      {examples.map((prompt) => (
        <li key={prompt}>
          <button type="button" class="example" onClick={() => ask(buildRequest(prompt, defaultOptions))}>
            {prompt}
          </button>
        </li>
      ))}
    </ul>
  );
}
