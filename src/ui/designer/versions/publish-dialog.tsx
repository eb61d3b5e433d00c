/** Publishes a design: runs its examples, shows failures, and otherwise creates an immutable version. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { DesignRecord, DesignVersions, VersionPublished } from '../../../../protocol/index.ts';
import type { CitewireError } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Badge } from '../../dashboard/badge.tsx';
import { LoadedView } from '../../dashboard/loaded-view.tsx';
import { Link } from '../../dashboard/router.tsx';
import { call } from '../../dashboard/session.ts';
import { useLoad } from '../../dashboard/use-load.ts';
import { describeError } from '../../language/describe-error.ts';
import { t } from '../../language/designer/text.ts';
import { counted, fill, rich } from '../../language/message.ts';
import { describeIssue, nameOfField } from '../../language/server-text.ts';
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
  const stopping = useRef<AbortController>(undefined);
  // The server stops its examples when nobody waits for them, and publishes nothing then.
  useEffect(() => () => stopping.current?.abort(), []);
  const publish = async () => {
    const { signal } = (stopping.current = new AbortController());
    setBusy(true);
    setFailure(undefined);
    try {
      setVersion(await call<VersionPublished>('POST', `/v1/design-api/${api_id}/publish`, undefined, signal));
      onPublished();
    } catch (error) {
      if (!signal.aborted) setFailure(error as CitewireError);
    }
    setBusy(false);
  };
  if (version !== undefined) {
    return (
      // Another dialog, so that it takes the focus and its title is read out.
      <Dialog key="published" title={fill(t.publish.published, { version: version.version })} onClose={onClose}>
        <p>
          {rich(t.publish.call, {
            path: () => <code>/v1/published-service/{api_stub}</code>,
            version: () => <code>/v{version.version}</code>,
          })}
        </p>
        {version.examples.length > 0 && (
          <ul class="proofs" aria-label={t.examples.title}>
            {version.examples.map(({ search_id, inputs, status }) => (
              <li key={search_id}>
                <Badge tone={status === 'answered' ? 'good' : 'warn'}>{t.run[status]}</Badge>{' '}
                <Link to={`/searches/${search_id}`}>{inputsText(inputs)}</Link>
              </li>
            ))}
          </ul>
        )}
        <div class="dialog-foot">
          <Link class="button button-plain" to={`/apis/${api_stub}`}>
            {t.publish.page}
          </Link>
          <Button look="main" onClick={onClose}>
            {t.publish.done}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={fill(t.publish.title, { name })} onClose={onClose}>
      <p>
        {rich(fill(t.publish.creates, { version: published_version + 1 }), { path: () => <code>{api_stub}</code> })}{' '}
        {examples.length === 0 ? t.publish.noExamples : counted(t.publish.examples, examples.length)}
      </p>
      {published_version > 0 && <Changes record={record} />}
      {failure !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{failure.issues.length > 0 ? t.publish.failed : describeError(failure)}</p>
          <ul>
            {failure.issues.map(({ loc, msg }) => (
              <li key={`${loc}`}>
                <strong>{placeText(loc, examples)}</strong>: {describeIssue(msg)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="dialog-foot">
        {isBusy && (
          <span class="loading" role="status">
            {examples.length === 0 ? t.publish.publishing : t.publish.running}
          </span>
        )}
        <Button onClick={onClose}>{t.publish.cancel}</Button>
        <Button look="main" isBusy={isBusy} onClick={publish}>
          {fill(t.publish.action, { version: published_version + 1 })}
        </Button>
      </div>
    </Dialog>
  );
}

/** What this version changes, against the newest one that was published from the design. */
function Changes({ record }: { readonly record: DesignRecord }) {
  const { api_id, api_stub, published_version = 0 } = record;
  const loaded = useLoad(() => call<DesignVersions>('GET', `/v1/design-api/${api_id}/versions?limit=1`), [api_id]);
  return (
    <section class="publish-changes" aria-labelledby="publish-changes">
      <h3 id="publish-changes">{fill(t.publish.changes, { version: published_version })}</h3>
      <LoadedView loaded={loaded}>
        {({ items: [newest] }) =>
          newest?.api_stub === api_stub && newest.version === published_version ? (
            <DifferenceView before={newest.design} after={designOf(record)} none={t.publish.nothing} />
          ) : (
            <p class="page-about">{fill(t.publish.otherDesign, { version: published_version })}</p>
          )
        }
      </LoadedView>
    </section>
  );
}

/** Names the place of an issue; `["body", "examples", 0, …]` is in the first example. */
function placeText(loc: readonly (string | number)[], examples: DesignRecord['examples']): string {
  const [, part, at, ...inside] = loc;
  if (part !== 'examples' || typeof at !== 'number') return nameOfField(loc);
  const example = fill(t.publish.exampleAt, { number: at + 1, inputs: inputsText(examples[at]?.inputs ?? {}) });
  return inside.length === 0 ? example : `${example} › ${inside.join(' › ')}`;
}

function inputsText(inputs: Readonly<Record<string, unknown>>): string {
  return Object.values(inputs).map(String).join(', ') || t.publish.noInputs;
}
