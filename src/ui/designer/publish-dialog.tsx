/** Publishing: the examples are run, what failed is shown, and a version that holds is there for good. */
import { useState } from 'preact/hooks';
import type { DesignRecord, VersionPublished } from '../../../protocol/index.ts';
import type { CitewireError } from '../../client/client.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Link } from '../dashboard/address.tsx';
import { Badge } from '../dashboard/parts.tsx';
import { call } from '../dashboard/session.ts';

interface PublishDialogProps {
  readonly record: DesignRecord;
  readonly onClose: () => void;
  readonly onPublished: () => void;
}

export function PublishDialog({ record, onClose, onPublished }: PublishDialogProps) {
  const { api_id, name, api_stub, examples, published_version = 0 } = record;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CitewireError>();
  const [version, setVersion] = useState<VersionPublished>();
  const publish = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      setVersion(await call<VersionPublished>('POST', `/v1/design-api/${api_id}/publish`));
      onPublished();
    } catch (error) {
      setFailure(error as CitewireError);
    }
    setBusy(false);
  };
  if (version !== undefined) {
    return (
      <Dialog title={`Version ${version.version} is published`} onClose={onClose}>
        <p>
          Anyone with a key can call <code>/v1/published-service/{api_stub}</code>, or this version for good with{' '}
          <code>/v{version.version}</code> behind it.
        </p>
        {version.examples.length > 0 && (
          <ul class="proofs" aria-label="Examples">
            {version.examples.map(({ search_id, inputs, status }) => (
              <li key={search_id}>
                <Badge tone={status === 'answered' ? 'good' : 'warn'}>{status.replaceAll('_', ' ')}</Badge>{' '}
                <Link to={`/searches/${search_id}`}>{inputWords(inputs)}</Link>
              </li>
            ))}
          </ul>
        )}
        <div class="dialog-foot">
          <Button look="main" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Publish “${name}”`} onClose={onClose}>
      <p>
        It becomes version {published_version + 1} of <code>{api_stub}</code>, which never changes.{' '}
        {examples.length === 0
          ? 'It has no examples: nothing is tried before.'
          : `Its ${examples.length === 1 ? 'example is' : `${examples.length} examples are`} run first, each a call of your minute.`}
      </p>
      {failure !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{failure.issues.length > 0 ? 'It was not published, for examples failed:' : failure.message}</p>
          <ul>
            {failure.issues.map(({ loc, msg }) => (
              <li key={`${loc}`}>
                <strong>{placeWords(loc, examples)}</strong>: {msg}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="dialog-foot">
        {isBusy && (
          <span class="loading" role="status">
            {examples.length === 0 ? 'Publishing…' : 'Running the examples…'}
          </span>
        )}
        <Button onClick={onClose}>Not now</Button>
        <Button look="main" disabled={isBusy} onClick={publish}>
          Publish version {published_version + 1}
        </Button>
      </div>
    </Dialog>
  );
}

/** `["body", "examples", 0, …]` is the first example. */
function placeWords(loc: readonly (string | number)[], examples: DesignRecord['examples']): string {
  const [, part, at, ...inside] = loc;
  if (part !== 'examples' || typeof at !== 'number') return loc.slice(1).join(' › ');
  const example = `Example ${at + 1} (${inputWords(examples[at]?.inputs ?? {})})`;
  return inside.length === 0 ? example : `${example} › ${inside.join(' › ')}`;
}

function inputWords(inputs: Readonly<Record<string, unknown>>): string {
  return Object.values(inputs).map(String).join(', ') || 'no inputs';
}
