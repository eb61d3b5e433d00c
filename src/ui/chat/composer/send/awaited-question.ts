/**
 * A question that is sent too early, while a document is being prepared, an answer is being written or a thread is being
 * opened: it stays in the box and is asked as soon as it can be.
 */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Whether the question in the box is asked as soon as it can be. */
export const isAwaited = signal(false);

export interface SendState {
  readonly canSend: boolean;
  /** Whether an answer is being written. */
  readonly isRunning: boolean;
  /** Whether the last answer is complete. */
  isComplete(): boolean;
  send(): void;
}

/** Sends the awaited question once it can be. After an answer that failed or was stopped, it stays in the box. */
export function useAwaited({ canSend, isRunning, isComplete, send }: SendState): void {
  useEffect(() => {
    if (!isRunning) return undefined;
    return () => {
      if (!isComplete()) isAwaited.value = false;
    };
  }, [isRunning]);
  useEffect(() => {
    if (!isAwaited.value || !canSend) return;
    isAwaited.value = false;
    send();
  }, [canSend]);
}
