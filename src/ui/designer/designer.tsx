/** The design form on the left, and a panel to try the design on the right. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Design, DesignRecord, ValidationError } from '../../../protocol/index.ts';
import type { CitewireError } from '../../client/client.ts';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';
import { hasUnsavedChanges } from '../dashboard/router.tsx';
import { call } from '../dashboard/session.ts';
import { describeError } from '../language/describe-error.ts';
import { t } from '../language/designer/text.ts';
import { describeIssue, nameOfField } from '../language/server-text.ts';
import { Examples } from './design-examples.tsx';
import { DesignFields } from './design-fields.tsx';
import { buildChange, buildRequest, changedFields, designOf, withChanges } from './design-form.ts';
import { presetsOf, type RawValues, rawOf, readValues } from './input-values.ts';
import { InputsForm } from './inputs-form.tsx';
import { PromptPreview } from './prompt-preview.tsx';
import { Evidence } from './try/evidence.tsx';
import { RunView } from './try/run-view.tsx';
import { useRun } from './try/use-run.ts';
import { PublishDialog } from './versions/publish-dialog.tsx';

interface DesignerProps {
  /** The initial design; as saved, if it was. */
  readonly design: Design;
  readonly record: DesignRecord | undefined;
  /** What the inputs have at first; by default what its first example has. */
  readonly values?: RawValues | undefined;
  /** Called with the values that its inputs have in the form to try it, too. */
  readonly onSaved: (record: DesignRecord, values: RawValues) => void;
  readonly onPublished: () => void;
}

export function Designer({ design: initial, record, values: given, onSaved, onPublished }: DesignerProps) {
  const [design, setDesign] = useState(initial);
  const [issues, setIssues] = useState<readonly ValidationError[]>([]);
  const [values, setValues] = useState<RawValues>(() => given ?? firstValues(initial));
  const [tries, setTries] = useState(0);
  const [publishing, setPublishing] = useState<DesignRecord>();
  const [isBusy, setBusy] = useState(false);
  const [isWhole, setWhole] = useState(true);
  const [attempts, setAttempts] = useState(0);
  const [foreign, setForeign] = useState(0);
  const saved = useRef(initial);
  const shown = useRef(design);
  shown.current = design;
  const run = useRun();
  const isChanged = changedFields(saved.current, design).length > 0;
  // Before the next event, which may be the Back button.
  useLayoutEffect(() => {
    hasUnsavedChanges.value = isChanged;
    return () => {
      hasUnsavedChanges.value = false;
    };
  }, [isChanged]);
  const { values: inputs, errors } = readValues(design.inputs, values);
  const presets = presetsOf(design.inputs);
  const hasErrors = Object.keys(errors).length > 0;

  /** Has the form show what is missing, unless nothing is. */
  function checkWhole(): boolean {
    if (!isWhole) setAttempts((before) => before + 1);
    return isWhole;
  }

  /** The saved record; undefined when it is incomplete or the server rejected it, which is shown in the form. */
  async function save(): Promise<DesignRecord | undefined> {
    if (!checkWhole()) return undefined;
    if (record !== undefined && !isChanged) return record;
    setBusy(true);
    try {
      const next = await (record === undefined
        ? call<DesignRecord>('POST', '/v1/design-api', design)
        : call<DesignRecord>('PATCH', `/v1/design-api/${record.api_id}`, buildChange(saved.current, design)));
      saved.current = designOf(next);
      // Typing goes on while a design is saved. A new one gets a page of its own.
      hasUnsavedChanges.value = record !== undefined && changedFields(design, shown.current).length > 0;
      setDesign(withChanges(saved.current, design, shown.current));
      // The fields show what they were given at first: another tab may have changed what this one has not.
      if (changedFields(design, saved.current).length > 0) {
        setForeign(foreign + 1);
        setWhole(true);
      }
      setIssues([]);
      toast(t.form.saved);
      onSaved(next, values);
      return next;
    } catch (error) {
      const failure = error as CitewireError;
      setIssues(
        failure.issues.length > 0
          ? failure.issues
          : [{ loc: ['body'], msg: describeError(failure), type: failure.code }],
      );
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  async function tryIt() {
    setTries(tries + 1);
    if (hasErrors || !checkWhole()) return;
    if (record === undefined) return run.start({ request: buildRequest(design, { ...presets, ...inputs }) });
    const next = await save();
    if (next !== undefined) await run.start({ api_stub: next.api_stub, version: 'draft', inputs });
  }

  return (
    <div class="designer">
      <form
        class="designer-form"
        aria-label={t.form.label}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <IssueList issues={issues} />
        <DesignFields
          key={foreign}
          design={design}
          isSaved={record !== undefined}
          issues={issues}
          onChange={setDesign}
          onWhole={setWhole}
          attempts={attempts}
        />
        <Examples
          design={design}
          issues={issues}
          onUse={(example) => setValues(rawOf(example))}
          onChange={(examples) => setDesign({ ...design, examples })}
        />
        <div class="designer-foot">
          {/* Disabled, it would lose the focus once the design is saved. */}
          <Button
            look="main"
            type="submit"
            aria-disabled={isWhole && record !== undefined && !isChanged}
            isBusy={isBusy}
          >
            {record === undefined ? t.form.create : t.form.save}
          </Button>
          {record !== undefined && (
            <Button isBusy={isBusy} onClick={async () => setPublishing(await save())}>
              {isChanged ? t.form.saveAndPublish : t.form.publish}
            </Button>
          )}
          <span class="page-about" role="status">
            {record === undefined ? '' : isChanged ? t.form.unsaved : t.form.saved}
          </span>
        </div>
      </form>
      <section class="designer-try card" aria-label={t.try.title}>
        <h2>{t.try.title}</h2>
        <form
          class="dialog-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!run.isRunning) void tryIt();
          }}
        >
          <InputsForm inputs={design.inputs} values={values} onChange={setValues} errors={errors} attempts={tries} />
          <div class="prompt-frame">
            <span class="field-label">{t.form.prompt}</span>
            <PromptPreview prompt={design.prompt} values={{ ...presets, ...filled(values) }} />
          </div>
          <div class="page-actions">
            {run.isRunning ? (
              <Button onClick={run.stop}>{t.try.stop}</Button>
            ) : (
              <Button look="main" type="submit" disabled={design.prompt.trim() === ''} isBusy={isBusy}>
                {isChanged && record !== undefined ? t.try.saveAndRun : t.try.run}
              </Button>
            )}
            <Button
              look="quiet"
              disabled={hasErrors || design.prompt.trim() === '' || design.examples.length >= 5}
              onClick={() => {
                setDesign({ ...design, examples: [...design.examples, { inputs }] });
                // Their list may be out of sight.
                toast(t.try.exampleAdded);
              }}
            >
              {t.try.saveExample}
            </Button>
          </div>
        </form>
        <RunView running={run} />
      </section>
      <Evidence />
      {publishing !== undefined && (
        <PublishDialog record={publishing} onClose={() => setPublishing(undefined)} onPublished={onPublished} />
      )}
    </div>
  );
}

/** Without empty values. */
function filled(values: RawValues): RawValues {
  return Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ''));
}

function firstValues({ inputs, examples }: Design): RawValues {
  const [first] = examples;
  return first === undefined ? presetsOf(inputs) : rawOf(first.inputs);
}

/** Every issue, including those that no field shows. */
function IssueList({ issues }: { readonly issues: readonly ValidationError[] }) {
  if (issues.length === 0) return null;
  return (
    <div class="notice notice-bad" role="alert">
      <p>{t.form.notSaved}</p>
      <ul>
        {issues.map(({ loc, msg }) => (
          <li key={`${loc} ${msg}`}>
            {loc.length > 1 && <strong>{nameOfField(loc)}: </strong>}
            {describeIssue(msg)}
          </li>
        ))}
      </ul>
    </div>
  );
}
