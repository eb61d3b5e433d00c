/** How long a question may be. A longer one, such as a pasted text, is kept as it is, so that nothing of it is cut off unnoticed. */
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';

/** The server's limit, `requestLimits.prompt_characters`. */
const maxCharacters = 40_000;

export function isTooLong(prompt: string): boolean {
  return prompt.trim().length > maxCharacters;
}

/** Says that it is too long, if it is. */
export function LengthNote({ of: prompt }: { readonly of: string }) {
  if (!isTooLong(prompt)) return null;
  return (
    <p class="question-too-long" role="status">
      {fill(t.composer.tooLong, { characters: prompt.trim().length, max: maxCharacters })}
    </p>
  );
}
