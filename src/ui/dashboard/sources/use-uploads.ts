/**
 * Uploads files one after another, and keeps how far they are and which were refused. An upload goes on while another page of the
 * dashboard is shown; what came of it is there until it has been seen. It ends with the session, so that nothing goes to an account
 * that signs in next.
 */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { accountOfSession } from '../../account/browser-session.ts';
import { whyRefused } from '../../components/files/refused-size.ts';
import { describeError } from '../../language/describe-error.ts';
import { session } from '../session.ts';
import { uploadFile } from './upload-file.ts';

/** A file that was not accepted, and why. */
export interface RefusedFile {
  readonly name: string;
  readonly reason: string;
}

/** The upload in progress; bytes are those of all its files. */
export interface Upload {
  /** The file that is being sent. */
  readonly name: string;
  /** How many files are left, this one included. */
  readonly left: number;
  readonly sent: number;
  readonly total: number;
}

export interface Uploads {
  /** Undefined while nothing is uploaded. */
  readonly current: Upload | undefined;
  /** Since nothing was uploaded last. */
  readonly refused: readonly RefusedFile[];
  /** Files that are added during an upload are part of it. */
  upload(files: readonly File[]): Promise<void>;
}

const current = signal<Upload | undefined>(undefined);
const refused = signal<readonly RefusedFile[]>([]);
/** The files of the upload in progress, also those that were sent. Another array takes its place when it ends. */
let files: File[] = [];
/** Whose they are. */
let account: string | undefined;
/** How many files were dealt with, accepted or not. */
const done = signal(0);

/** `onFile` is called after each file, whether or not it was accepted. */
export function useUploads(onFile: () => void): Uploads {
  const filesDone = done.value;
  const filesBefore = useRef(filesDone);
  useEffect(() => {
    if (filesDone !== filesBefore.current) onFile();
  }, [filesDone]);
  useEffect(
    () => () => {
      // They have been seen.
      if (current.peek() === undefined) refused.value = [];
    },
    [],
  );
  // Read in any case, so that the page is drawn again when they change.
  const [shown, reasons] = [current.value, refused.value];
  const isOwn = session.value?.account.id === account;
  return { current: isOwn ? shown : undefined, refused: isOwn ? reasons : [], upload };
}

async function upload(added: readonly File[]): Promise<void> {
  const isFirst = files.length === 0;
  files.push(...added);
  if (!isFirst) return;
  const own = files;
  account = accountOfSession();
  refused.value = [];
  let before = 0;
  // One after another, so that each refusal is about a file and not about too many calls.
  for (const [at, file] of own.entries()) {
    // The page has its next session before it shows it.
    if (accountOfSession() !== account) drop();
    if (files !== own) return;
    const show = (sent: number) => {
      if (files !== own) return;
      const total = own.reduce((sum, { size }) => sum + size, 0);
      const left = own.length - at;
      current.value = { name: file.name, left, sent: before + Math.min(sent, file.size), total };
    };
    show(0);
    const refuse = (reason: string) => {
      if (files === own) refused.value = [...refused.value, { name: file.name, reason }];
    };
    const reason = whyRefused(file);
    if (reason === undefined) await uploadFile(file, show).catch((error: unknown) => refuse(describeError(error)));
    else refuse(reason);
    before += file.size;
    done.value += 1;
  }
  if (files !== own) return;
  files = [];
  current.value = undefined;
}

session.subscribe((now) => {
  if (now === null) drop();
});

function drop(): void {
  files = [];
  current.value = undefined;
  refused.value = [];
}
