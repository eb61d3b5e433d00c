/** The form of a design beside its preview: what is changed on the left is asked on the right. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Design, DesignRecord, ValidationError } from '../../../protocol/index.ts';
import type { CitewireError } from '../../client/client.ts';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';
import { unsaved } from '../dashboard/address.tsx';
import { call } from '../dashboard/session.ts';
import { DesignFields } from './design-fields.tsx';
import { changeOf, requestOf } from './design-form.ts';
import { Examples } from './examples.tsx';
import { presetsOf, type RawValues, rawOf, readValues } from './input-values.ts';
import { InputsForm } from './inputs-form.tsx';
import { PromptPreview } from './prompt-preview.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { useRun } from './run.ts';
import { RunView } from './run-view.tsx';

interface DesignerProps {
  /** What is edited; as it was kept, where it was. */
  readonly design: Design;
  readonly record: DesignRecord | undefined;
  readonly onSaved: (record: DesignRecord) => void;
  readonly onPublished: () => void;
}

export function Designer({ design: kept, record, onSaved, onPublished }: DesignerProps) {
  const [design, setDesign] = useState(kept);
  const [issues, setIssues] = useState<readonly ValidationError[]>([]);
  const [values, setValues] = useState<RawValues>(() => firstValues(kept));
  const [areShown, showFaults] = useState(false);
  const [isPublishing, setPublishing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isWhole, setWhole] = useState(true);
  const saved = useRef(JSON.stringify(kept));
  const run = useRun();
  const isChanged = JSON.stringify(design) !== saved.current;
  useEffect(() => {
    unsaved.value = isChanged;
    return () => {
      unsaved.value = false;
    };
  }, [isChanged]);
  const { values: inputs, faults } = readValues(design.inputs, values);
  const presets = presetsOf(design.inputs);
  const hasFaults = Object.keys(faults).length > 0;

  /** The record as it then is; undefined where the server refused it, which is shown. */
  async function save(): Promise<DesignRecord | undefined> {
    if (record !== undefined && !isChanged) return record;
    setBusy(true);
    try {
      const next = await (record === undefined
        ? call<DesignRecord>('POST', '/v1/design-api', design)
        : call<DesignRecord>('PATCH', `/v1/design-api/${record.api_id}`, changeOf(design)));
      saved.current = JSON.stringify(design);
      unsaved.value = false;
      setIssues([]);
      toast('Saved');
      onSaved(next);
      return next;
    } catch (error) {
      const failure = error as CitewireError;
      setIssues(
        failure.issues.length > 0 ? failure.issues : [{ loc: ['body'], msg: failure.message, type: failure.code }],
      );
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  async function tryIt() {
    showFaults(true);
    if (hasFaults) return;
    if (record === undefined) return run.start({ request: requestOf(design, { ...presets, ...inputs }) });
    const next = await save();
    if (next !== undefined) await run.start({ api_stub: next.api_stub, version: 'draft', inputs });
  }

  return (
    <div class="designer">
      <form
        class="designer-form"
        aria-label="Design"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <IssueList issues={issues} />
        <DesignFields design={design} issues={issues} onChange={setDesign} onWhole={setWhole} />
        <Examples
          design={design}
          issues={issues}
          onUse={(example) => setValues(rawOf(example))}
          onChange={(examples) => setDesign({ ...design, examples })}
        />
        <div class="designer-foot">
          <Button look="main" type="submit" disabled={isBusy || !isWhole || (record !== undefined && !isChanged)}>
            {record === undefined ? 'Create design' : 'Save'}
          </Button>
          {record !== undefined && (
            <Button
              disabled={isBusy || !isWhole}
              onClick={async () => {
                if ((await save()) !== undefined) setPublishing(true);
              }}
            >
              {isChanged ? 'Save and publish…' : 'Publish…'}
            </Button>
          )}
          <span class="page-about" role="status">
            {record === undefined ? '' : isChanged ? 'Not saved yet' : 'Saved'}
          </span>
        </div>
      </form>
      <section class="designer-try card" aria-label="Try it">
        <h2>Try it</h2>
        <InputsForm inputs={design.inputs} values={values} onChange={setValues} faults={areShown ? faults : {}} />
        <div class="prompt-frame">
          <span class="field-label">Prompt</span>
          <PromptPreview prompt={design.prompt} values={{ ...presets, ...given(values) }} />
        </div>
        <div class="page-actions">
          {run.isRunning ? (
            <Button onClick={run.stop}>Stop</Button>
          ) : (
            <Button look="main" disabled={isBusy || !isWhole || design.prompt.trim() === ''} onClick={tryIt}>
              {isChanged && record !== undefined ? 'Save and run' : 'Run'}
            </Button>
          )}
          <Button
            look="quiet"
            disabled={hasFaults || design.prompt.trim() === '' || design.examples.length >= 5}
            onClick={() => setDesign({ ...design, examples: [...design.examples, { inputs }] })}
          >
            Keep as example
          </Button>
        </div>
        <RunView running={run} />
      </section>
      {isPublishing && record !== undefined && (
        <PublishDialog record={record} onClose={() => setPublishing(false)} onPublished={onPublished} />
      )}
    </div>
  );
}

/** Those that are not empty. */
function given(values: RawValues): RawValues {
  return Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ''));
}

function firstValues({ inputs, examples }: Design): RawValues {
  const [first] = examples;
  return first === undefined ? presetsOf(inputs) : rawOf(first.inputs);
}

/** What no field shows by itself. */
function IssueList({ issues }: { readonly issues: readonly ValidationError[] }) {
  if (issues.length === 0) return null;
  return (
    <div class="notice notice-bad" role="alert">
      <p>It could not be saved:</p>
      <ul>
        {issues.map(({ loc, msg }) => (
          <li key={`${loc} ${msg}`}>
            {loc.length > 1 && <strong>{loc.slice(1).join(' › ')}: </strong>}
            {msg}
          </li>
        ))}
      </ul>
    </div>
  );
}
