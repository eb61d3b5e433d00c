/**
 * A modal dialog: the browser's own, which traps the focus. It begins at the first field, also at one that has yet to be loaded, and
 * goes back to where it was, or else to the page. Escape and a click on the backdrop close it, unless what it shows would be lost.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** What it shows cannot be shown again: a click on the backdrop does not close it. */
  readonly isOnce?: boolean;
  /** Nor can it be made again, and it was not copied yet: only its buttons close it. */
  readonly isUncopied?: boolean;
  /** What it does can no longer be cancelled, and what comes of it is yet to be shown: nothing closes it. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

/** Where the focus was before each dialog that is open, or that another one has just replaced. */
const openers = new Map<HTMLDialogElement, Element | null>();

/** Open as long as it is rendered. */
export function Dialog({ title, onClose, isOnce = false, isUncopied = false, isBusy = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isPressed = useRef(false);
  const isHeld = isUncopied || isBusy;
  useEffect(() => {
    const dialog = ref.current!;
    // A dialog that takes the place of another is open before that one is cleaned up, and its focus is gone already.
    const replaced = [...openers.keys()].find(({ isConnected }) => !isConnected);
    const opener = replaced === undefined ? document.activeElement : openers.get(replaced)!;
    openers.set(dialog, opener);
    dialog.showModal();
    const stopWaiting = focusFirstField(dialog);
    return () => {
      stopWaiting();
      openers.delete(dialog);
      // It is no longer in the page, so the browser does not restore the focus.
      dialog.close();
      if (document.activeElement === document.body) returnFocus(opener as HTMLElement | null);
    };
  }, []);
  const isOnBackdrop = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const { left, right, top, bottom } = ref.current!.getBoundingClientRect();
    return target === ref.current && (x < left || x > right || y < top || y > bottom);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={heading}
      // Chromium lets `cancel` be prevented only once.
      closedby={isHeld ? 'none' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onPointerDown={(event) => {
        isPressed.current = isOnBackdrop(event);
      }}
      onClick={(event) => {
        // The target of a click that began or ended on the content, as when text is selected, is the dialog, too.
        if (!isOnce && !isHeld && isPressed.current && isOnBackdrop(event)) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <IconButton label={t.dialog.close} disabled={isBusy} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** To where it was, or else to the page, also where that button goes in a moment, with the row that the dialog removed. */
function returnFocus(opener: HTMLElement | null): void {
  const toPage = () => document.getElementById('main')?.focus({ preventScroll: true });
  if (opener?.isConnected !== true || opener === document.body) return toPage();
  opener.focus({ preventScroll: true });
  if (document.activeElement !== opener) return;
  const removals = new MutationObserver(() => {
    const isNowhere = document.activeElement === document.body;
    if (opener.isConnected && (isNowhere || document.activeElement === opener)) return;
    removals.disconnect();
    // Otherwise the reader has moved on.
    if (isNowhere) toPage();
  });
  removals.observe(document.body, { childList: true, subtree: true });
}

/**
 * What a dialog shows may have to be loaded first: the focus then moves on to the first field, unless the reader has moved it.
 * Returns a function that stops waiting for it.
 */
function focusFirstField(dialog: HTMLDialogElement): () => void {
  const begin = document.activeElement;
  const move = () => {
    const field = dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):enabled');
    if (document.activeElement === begin) field?.focus();
    if (field !== null || document.activeElement !== begin) additions.disconnect();
  };
  const additions = new MutationObserver(move);
  additions.observe(dialog, { childList: true, subtree: true });
  move();
  return () => additions.disconnect();
}
