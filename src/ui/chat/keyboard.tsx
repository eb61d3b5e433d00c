/** The keys of the chat, and the dialog that lists them. */
import { signal } from '@preact/signals';
import { isComposing } from '../components/composing.ts';
import { Dialog } from '../components/dialog.tsx';
import { t } from '../language/text.ts';
import { isAwaited } from './composer/send/awaited-question.ts';
import { runningTurn } from './thread/conversation.ts';

const areShown = signal(false);

const keys = [
  ['/', t.keys.write],
  ['↑', t.keys.last],
  [t.keys.enterKey, t.keys.enter],
  [t.keys.escapeKey, t.keys.escape],
  [t.keys.searchKey, t.keys.search],
  ['?', t.keys.show],
] as const;

export interface KeyActions {
  showThreads(): void;
}

/** Listens until the returned function is called. Keys that are typed into a field stay there, except Escape and Ctrl+K. */
export function listenForKeys({ showThreads }: KeyActions): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return;
    const area = document.querySelector<HTMLTextAreaElement>('.composer > textarea');
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    const isBusy = document.querySelector('dialog[open], .reader, .quote-card') !== null;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      showThreads();
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.history-find')?.focus());
    } else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === 'Escape' && !isBusy && (runningTurn.value !== undefined || isAwaited.value)) {
      // In any other field, it ends what is done there.
      if (isTyping && event.target !== area) return;
      isAwaited.value = false;
      runningTurn.value?.stop();
    } else if (isTyping || isBusy) return;
    else if (event.key === '/') area?.focus();
    else if (event.key === '?') areShown.value = true;
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

export function KeysDialog() {
  if (!areShown.value) return null;
  return (
    <Dialog
      title={t.keys.title}
      onClose={() => {
        areShown.value = false;
      }}
    >
      <dl class="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
