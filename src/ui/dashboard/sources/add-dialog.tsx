/** Adds a web page or a sitemap to the index. */
import { useState } from 'preact/hooks';
import type { CitewireError } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { call } from '../session.ts';

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [error, setError] = useState<string>();
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await call('POST', '/v1/sources', { url: url.trim() });
      onClose();
    } catch (failure) {
      setError((failure as CitewireError).message);
    }
  };
  return (
    <Dialog title="Add a URL" onClose={onClose}>
      <form class="dialog-form" onSubmit={add} noValidate>
        <Field
          label="URL"
          type="url"
          value={url}
          error={error}
          hint="A web page, or a sitemap (.xml) whose pages are all indexed."
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
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
