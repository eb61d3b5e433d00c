/** Adds a web page or a sitemap to the index or, for administrators, a folder of the server. */
import { useState } from 'preact/hooks';
import type { CitewireError } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { call } from '../session.ts';

const kinds = { url: 'URL', folder: 'Folder' } as const;

interface AddDialogProps {
  readonly mayAddFolders: boolean;
  readonly onClose: () => void;
}

export function AddDialog({ mayAddFolders, onClose }: AddDialogProps) {
  const [kind, setKind] = useState<'url' | 'folder'>('url');
  const [place, setPlace] = useState('');
  const [error, setError] = useState<string>();
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await call('POST', '/v1/sources', { [kind]: place.trim() });
      onClose();
    } catch (failure) {
      setError((failure as CitewireError).message);
    }
  };
  const isUrl = kind === 'url';
  return (
    <Dialog title={mayAddFolders ? 'Add a URL or folder' : 'Add a URL'} onClose={onClose}>
      <form class="dialog-form" onSubmit={add} noValidate>
        {mayAddFolders && <SegmentedControl label="What" choices={kinds} chosen={kind} onChoose={setKind} />}
        <Field
          label={isUrl ? 'URL' : 'Folder on the server'}
          type="text"
          inputMode={isUrl ? 'url' : 'text'}
          value={place}
          error={error}
          hint={
            isUrl
              ? 'A web page, or a sitemap (.xml) whose pages are all indexed.'
              : 'A path below one of SOURCE_ROOTS. Searches of every account find it.'
          }
          onInput={({ currentTarget }) => setPlace(currentTarget.value)}
        />
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit">
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
