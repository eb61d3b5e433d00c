/** Uploads files one after another, and keeps how far they are and which were refused. */
import { useState } from 'preact/hooks';
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
  /** Of the last upload. */
  readonly refused: readonly RefusedFile[];
  upload(files: readonly File[]): Promise<void>;
}

/** `onFile` is called after each file, whether or not it was accepted. */
export function useUploads(onFile: () => void): Uploads {
  const [current, setCurrent] = useState<Upload>();
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);

  const upload = async (files: readonly File[]) => {
    setRefused([]);
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let before = 0;
    // One after another, so that each refusal is about a file and not about too many calls.
    for (const [at, file] of files.entries()) {
      const show = (sent: number) =>
        setCurrent({ name: file.name, left: files.length - at, sent: before + Math.min(sent, file.size), total });
      show(0);
      try {
        await uploadFile(file, show);
      } catch (error) {
        setRefused((all) => [...all, { name: file.name, reason: describeError(error) }]);
      }
      before += file.size;
      onFile();
    }
    setCurrent(undefined);
  };

  return { current, refused, upload };
}
