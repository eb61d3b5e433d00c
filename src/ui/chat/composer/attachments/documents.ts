/**
 * Documents that are attached to the question: uploaded as sources of the account, indexed, and then the only sources of what
 * is asked, follow-ups too, until they are removed here. They stay sources of the account.
 */
import { computed, signal } from '@preact/signals';
import type { CitewireError, Client, IndexedSource } from '../../../../client/client.ts';
import { whyRefused } from '../../../components/files/refused-size.ts';
import { fileNameOf } from '../../../components/format.ts';
import { describeError } from '../../../language/describe-error.ts';
import { describeSentence } from '../../../language/server-text.ts';
import { t } from '../../../language/text.ts';
import { isAwaited } from '../send/awaited-question.ts';

export interface AttachedDocument {
  /** Unique on the page. */
  readonly key: number;
  readonly name: string;
  readonly state: 'uploading' | 'indexing' | 'ready' | 'failed';
  /** Why it failed. */
  readonly reason?: string | undefined;
  /** The address of the source that it became. */
  readonly address?: string | undefined;
}

/** How often a source that is being indexed is polled, ms; set by hand. */
const pollMs = 500;

export const documents = signal<readonly AttachedDocument[]>([]);

/** Whether it is not ready to be asked yet. */
export function isBusy({ state }: AttachedDocument): boolean {
  return state === 'uploading' || state === 'indexing';
}

/** Whether some are not ready to be asked yet. */
export const isPreparing = computed(() => documents.value.some(isBusy));

/** The addresses that answers are restricted to; empty for no restriction. */
export const documentAddresses = computed(() => documents.value.flatMap(({ address }) => address ?? []));

let keys = 0;

/** Uploads them one after another. What goes wrong is in their state. */
export async function attach(client: Client, files: readonly File[]): Promise<void> {
  const added = files.map((file) => ({ file, key: (keys += 1) }));
  documents.value = [
    ...documents.value,
    ...added.map(({ file, key }) => ({ key, name: file.name, state: 'uploading' as const })),
  ];
  for (const { file, key } of added) if (isAttached(key)) await upload(client, file, key);
}

export function detach(key: number): void {
  documents.value = documents.value.filter((each) => each.key !== key);
  // Without it, the question might be asked of everything.
  if (!isPreparing.value) isAwaited.value = false;
}

/** What failed has been read once the next question is asked. */
export function detachFailed(): void {
  documents.value = documents.value.filter(({ state }) => state !== 'failed');
}

/** Attaches the uploaded files that a stored request was restricted to, in the place of all others. */
export function attachAgain(whitelist: readonly string[] = []): void {
  documents.value = whitelist.flatMap((address) => {
    const [name] = documentNames([address]);
    return name === undefined ? [] : [{ key: (keys += 1), name, state: 'ready' as const, address }];
  });
}

/** Marks those that are no longer sources of the account: nothing would be found in them. What cannot be asked stays as it is. */
export async function checkAttached(client: Client): Promise<void> {
  const checked = documents.value.filter(({ state }) => state === 'ready');
  if (checked.length === 0) return;
  const sources = await client.sources.list().catch(() => undefined);
  if (sources === undefined) return;
  const there = new Set(sources.items.map(({ address }) => address));
  for (const { key, address } of checked) {
    if (there.has(address)) continue;
    change(key, { state: 'failed', address: undefined, reason: t.documents.removed });
  }
}

async function upload(client: Client, file: File, key: number): Promise<void> {
  const reason = whyRefused(file);
  if (reason !== undefined) return change(key, { state: 'failed', reason });
  try {
    let source = await client.sources.upload(file.name, file);
    change(key, { state: 'indexing' });
    while (isAttached(key) && isWorkedOn(source)) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      source = await client.sources.get(source.source_id).catch((error: CitewireError) => {
        // The server goes on indexing, or begins again after a restart.
        if (error.code === 'connection_failed') return source;
        throw error;
      });
    }
    const { state, address, reason, failures, truncated } = source;
    if (state === 'ready' && address !== undefined)
      change(key, { state: 'ready', address, reason: truncated === undefined ? undefined : t.documents.truncated });
    else
      change(key, {
        state: 'failed',
        reason: describeSentence(reason ?? failures[0]?.reason ?? t.documents.unreadable),
      });
  } catch (error) {
    change(key, { state: 'failed', reason: describeError(error) });
  }
}

function isWorkedOn({ state }: IndexedSource): boolean {
  return state === 'waiting' || state === 'indexing';
}

function isAttached(key: number): boolean {
  return documents.value.some((each) => each.key === key);
}

function change(key: number, next: Partial<AttachedDocument>): void {
  if (next.state === 'failed' && isAttached(key)) isAwaited.value = false;
  documents.value = documents.value.map((each) => (each.key === key ? { ...each, ...next } : each));
}

/** The hidden field of the composer that opens the browser's dialog. */
export const documentChooser = { current: null as HTMLInputElement | null };

export function chooseDocuments(): void {
  documentChooser.current?.click();
}

/** Whether an entry of a source list is an uploaded file. */
export function isDocument(entry: string): boolean {
  return /^file:\/\/\/uploads\/[^/]+\/[^/]+$/.test(entry);
}

/** The names of the uploaded files that a request is restricted to. */
export function documentNames(whitelist: readonly string[] = []): string[] {
  return whitelist.filter(isDocument).map(fileNameOf);
}
