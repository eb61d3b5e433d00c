/**
 * Short messages that disappear by themselves, announced politely. Call `toast('Copied')` anywhere; a page renders <Toasts />
 * once.
 */
import { signal } from '@preact/signals';

const shown = signal<readonly { readonly id: number; readonly text: string }[]>([]);
const shownMs = 4_000;
let count = 0;

export function toast(text: string): void {
  const id = (count += 1);
  shown.value = [...shown.value.slice(-2), { id, text }];
  setTimeout(() => {
    shown.value = shown.value.filter((each) => each.id !== id);
  }, shownMs);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text }) => (
        <div key={id} class="toast">
          {text}
        </div>
      ))}
    </div>
  );
}
