/** Copies text for a button, and says in a message whether it did. */
import { t } from '../language/text.ts';
import { toast } from './toast.tsx';

/**
 * Whether the text was copied. Browsers may refuse it, and have no clipboard on plain HTTP, where even asking for it throws: there
 * it is copied as a selection is.
 * @param done the message if it was copied
 * @param refused the message if it was not
 */
export async function copyToClipboard(text: string, done: string, refused: string = t.copy.blocked): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copySelected(text)) {
      toast(refused);
      return false;
    }
  }
  toast(done);
  return true;
}

/** Copies the selection of a field that nobody sees. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.readOnly = true;
  field.value = text;
  // Where a dialog is open, nothing outside it can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
