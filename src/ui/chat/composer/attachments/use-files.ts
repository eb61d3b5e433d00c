/** The files that are dropped, pasted or chosen for a question: an image belongs to it, others become sources. */
import { useState } from 'preact/hooks';
import { signedIn } from '../../../account/signed-in.ts';
import { toast } from '../../../components/toast.tsx';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { noImages } from '../models.ts';
import { attach } from './documents.ts';
import { isImage, readImage } from './image.ts';

export interface Files {
  /** Takes files of any kind. */
  take(files: readonly File[]): void;
  /** Takes the first as the image of the question. */
  takeImage(images: readonly File[]): Promise<void>;
  readonly isReadingImage: boolean;
}

/** `onImage` gets a data: URL; `onTaken` is called when files of any kind have been taken. */
export function useFiles(onImage: (image: string) => void, onTaken: () => void): Files {
  const [isReadingImage, setReadingImage] = useState(false);

  async function takeImage([file, ...others]: readonly File[]): Promise<void> {
    if (file === undefined) return;
    if (noImages.value !== undefined) return toast(noImages.value);
    if (others.length > 0) toast(fill(t.composer.oneImage, { name: file.name }));
    setReadingImage(true);
    await readImage(file).then(onImage, (error: Error) => toast(error.message));
    setReadingImage(false);
  }

  function take(files: readonly File[]): void {
    const { client } = signedIn.value ?? {};
    const others = files.filter((file) => !isImage(file));
    if (others.length > 0 && client !== undefined) void attach(client, others);
    void takeImage(files.filter(isImage));
    onTaken();
  }

  return { take, takeImage, isReadingImage };
}
