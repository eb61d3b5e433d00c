/** A hidden field for files: clicking its element opens the browser's dialog. The same file can be chosen twice in a row. */
import type { RefObject } from 'preact';
import { documentEndings } from '../../../../protocol/document-kinds.ts';

/** Documents that the server can index, for the browser's dialog; the server decides by the content. */
export const acceptedDocuments = documentEndings.map((ending) => `.${ending}`).join(',');

export interface FileInputProps {
  readonly element: RefObject<HTMLInputElement | null>;
  readonly accept: string;
  readonly label?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileInput({ element, accept, label, multiple = false, onFiles }: FileInputProps) {
  return (
    <input
      ref={element}
      type="file"
      multiple={multiple}
      hidden
      accept={accept}
      aria-label={label}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        currentTarget.value = '';
      }}
    />
  );
}
