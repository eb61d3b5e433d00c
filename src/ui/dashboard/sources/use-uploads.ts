/** Uploads files one after another, and keeps how far they are and which were refused. */
import { useRef, useState } from 'preact/hooks';
import { whyRefused } from '../../components/files/refused-size.ts';
import { describeError } from '../../language/describe-error.ts';
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

/** `onFile` is called after each file, whether or not it was accepted. */
export function useUploads(onFile: () => void): Uploads {
  const [current, setCurrent] = useState<Upload>();
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);

  /** The files of the upload in progress, also those that were sent. */
  const files = useRef<File[]>([]);

  const upload = async (added: readonly File[]) => {
    const isFirst = files.current.length === 0;
    files.current.push(...added);
    if (!isFirst) return;
    setRefused([]);
    let before = 0;
    // One after another, so that each refusal is about a file and not about too many calls.
    for (const [at, file] of files.current.entries()) {
      const show = (sent: number) => {
        const total = files.current.reduce((sum, { size }) => sum + size, 0);
        const left = files.current.length - at;
        setCurrent({ name: file.name, left, sent: before + Math.min(sent, file.size), total });
      };
      show(0);
      const refuse = (reason: string) => setRefused((all) => [...all, { name: file.name, reason }]);
      const reason = whyRefused(file);
      if (reason === undefined) await uploadFile(file, show).catch((error: unknown) => refuse(describeError(error)));
      else refuse(reason);
      before += file.size;
      onFile();
    }
    files.current = [];
    setCurrent(undefined);
  };

  return { current, refused, upload };
}
