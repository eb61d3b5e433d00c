/** Questions that a server can answer that was only just started, from the documentation it is installed with. */
import { noOptions, requestOf } from './request.ts';
import { ask } from './thread.ts';

const examples = [
  'How do I set a request timeout in undici?',
  'What does WAL mode change for readers and writers in better-sqlite3?',
  'How can a reconnecting client of ioredis be made to back off?',
  'When should I use safeParse instead of parse in zod?',
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
