/** Copies text for a button, and says in a message whether it did. */
import { t } from '../language/text.ts';
import { toast } from './toast.tsx';

/**
 * Whether the text was copied. Browsers may refuse it, and have no clipboard on plain HTTP, where even asking for it throws.
 * @param done the message if it was copied
 * @param refused the message if it was not
 */
export async function copyToClipboard(text: string, done: string, refused: string = t.copy.blocked): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast(refused);
    return false;
  }
  toast(done);
  return true;
}
