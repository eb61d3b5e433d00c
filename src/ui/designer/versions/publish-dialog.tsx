/** Publishes a design: runs its examples, shows failures, and otherwise creates an immutable version. */
import { useState } from 'preact/hooks';
import type { DesignRecord, DesignVersions, VersionPublished } from '../../../../protocol/index.ts';
import type { CitewireError } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Badge } from '../../dashboard/badge.tsx';
import { LoadedView } from '../../dashboard/loaded-view.tsx';
import { Link } from '../../dashboard/router.tsx';
import { call } from '../../dashboard/session.ts';
import { useLoad } from '../../dashboard/use-load.ts';
import { designOf } from '../design-form.ts';
import { DifferenceView } from '../difference/difference-view.tsx';

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
      <Dialog title={`Version ${version.version} published`} onClose={onClose}>
        <p>
          Anyone with a key can call <code>/v1/published-service/{api_stub}</code>. Append{' '}
          <code>/v{version.version}</code> to pin this version.
        </p>
        {version.examples.length > 0 && (
          <ul class="proofs" aria-label="Examples">
            {version.examples.map(({ search_id, inputs, status }) => (
              <li key={search_id}>
                <Badge tone={status === 'answered' ? 'good' : 'warn'}>{status.replaceAll('_', ' ')}</Badge>{' '}
                <Link to={`/searches/${search_id}`}>{inputsText(inputs)}</Link>
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
        This creates version {published_version + 1} of <code>{api_stub}</code>, which can no longer be changed.{' '}
        {examples.length === 0
          ? 'There are no examples to check first.'
          : `${examples.length === 1 ? 'Its example runs' : `Its ${examples.length} examples run`} first; each counts towards your rate limit.`}
      </p>
      {published_version > 0 && <Changes record={record} />}
      {failure !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{failure.issues.length > 0 ? 'Not published, because examples failed:' : failure.message}</p>
          <ul>
            {failure.issues.map(({ loc, msg }) => (
              <li key={`${loc}`}>
                <strong>{placeText(loc, examples)}</strong>: {msg}
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
        <Button onClick={onClose}>Cancel</Button>
        <Button look="main" disabled={isBusy} onClick={publish}>
          Publish version {published_version + 1}
        </Button>
      </div>
    </Dialog>
  );
}

/** What this version changes, against the newest one that was published from the design. */
function Changes({ record }: { readonly record: DesignRecord }) {
  const { api_id, api_stub, published_version } = record;
  const loaded = useLoad(() => call<DesignVersions>('GET', `/v1/design-api/${api_id}/versions?limit=1`), [api_id]);
  return (
    <section class="publish-changes" aria-labelledby="publish-changes">
      <h3 id="publish-changes">Changes since version {published_version}</h3>
      <LoadedView loaded={loaded}>
        {({ items: [newest] }) =>
          newest?.api_stub === api_stub && newest.version === published_version ? (
            <DifferenceView before={newest.design} after={designOf(record)} none="Nothing has changed." />
          ) : (
            <p class="page-about">
              Version {published_version} was published from another design, so its changes cannot be shown.
            </p>
          )
        }
      </LoadedView>
    </section>
  );
}

/** Names the place of an issue; `["body", "examples", 0, …]` is in the first example. */
function placeText(loc: readonly (string | number)[], examples: DesignRecord['examples']): string {
  const [, part, at, ...inside] = loc;
  if (part !== 'examples' || typeof at !== 'number') return loc.slice(1).join(' › ');
  const example = `Example ${at + 1} (${inputsText(examples[at]?.inputs ?? {})})`;
  return inside.length === 0 ? example : `${example} › ${inside.join(' › ')}`;
}

function inputsText(inputs: Readonly<Record<string, unknown>>): string {
  return Object.values(inputs).map(String).join(', ') || 'no inputs';
}
