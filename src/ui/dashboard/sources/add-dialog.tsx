/** Adds a web page or a sitemap to the index or, for administrators, a folder of the server. */
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeFieldError } from '../../language/describe-error.ts';
import { SegmentedControl } from '../segmented-control.tsx';
import { call } from '../session.ts';

const kinds = { url: t.sources.url, folder: t.sources.folder };

interface AddDialogProps {
  readonly mayAddFolders: boolean;
  readonly onClose: () => void;
}

export function AddDialog({ mayAddFolders, onClose }: AddDialogProps) {
  const [kind, setKind] = useState<'url' | 'folder'>('url');
  const [place, setPlace] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await call('POST', '/v1/sources', { [kind]: place.trim() });
      onClose();
    } catch (failure) {
      setError(describeFieldError(failure));
    }
    setBusy(false);
  };
  const isUrl = kind === 'url';
  return (
    <Dialog title={mayAddFolders ? t.sources.addAny : t.sources.addUrl} onClose={onClose}>
      <form class="dialog-form" onSubmit={add} noValidate>
        {mayAddFolders && <SegmentedControl label={t.sources.what} choices={kinds} chosen={kind} onChoose={setKind} />}
        <Field
          label={isUrl ? t.sources.url : t.sources.folderOnServer}
          type="text"
          inputMode={isUrl ? 'url' : 'text'}
          value={place}
          error={error}
          hint={isUrl ? t.sources.urlHint : t.sources.folderHint}
          onInput={({ currentTarget }) => setPlace(currentTarget.value)}
        />
        <div class="dialog-foot">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button look="main" type="submit" isBusy={isBusy}>
            {t.sources.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
