/** The buttons that attach documents and an image to the question; each opens the browser's dialog. */
import { useRef } from 'preact/hooks';
import { IconButton } from '../../../components/button.tsx';
import { acceptedDocuments, FileInput } from '../../../components/files/file-input.tsx';
import { AttachIcon, ImageIcon } from '../../../components/icons.tsx';
import { toast } from '../../../components/toast.tsx';
import { t } from '../../../language/text.ts';
import { noImages } from '../models.ts';
import { chooseDocuments, documentChooser } from './documents.ts';

export interface AttachButtonsProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** Called with what was chosen as an image; browsers offer other files, too. */
  readonly onImage: (files: readonly File[]) => void;
}

export function AttachButtons({ onFiles, onImage }: AttachButtonsProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={t.documents.add} onClick={chooseDocuments}>
        <AttachIcon />
      </IconButton>
      <FileInput
        element={documentChooser}
        accept={acceptedDocuments}
        label={t.documents.chooser}
        multiple
        onFiles={onFiles}
      />
      <IconButton
        label={noImages.value === undefined ? t.composer.addImage : `${t.composer.addImage}. ${noImages.value}`}
        aria-disabled={noImages.value !== undefined}
        onClick={() => (noImages.value === undefined ? chooser.current?.click() : toast(noImages.value))}
      >
        <ImageIcon />
      </IconButton>
      <FileInput element={chooser} accept="image/*" onFiles={onImage} />
    </>
  );
}
