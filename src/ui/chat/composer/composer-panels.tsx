/** The panels above the question: which sources to use, and the format of the answer. */
import { computed } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { OutputFormat } from '../../../../protocol/index.ts';
import { type SignedIn, signedIn } from '../../account/signed-in.ts';
import { IconButton } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { fileNameOf } from '../../components/format.ts';
import { CloseIcon } from '../../components/icons.tsx';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { turns } from '../thread/conversation.ts';
import { CollectionChoices } from './collection-choices.tsx';
import { LoadedTemplateEditor } from './loaded-template-editor.tsx';
import { type KnownDocument, type Options, parseSourceList, type SourceMode, sourceModes } from './search-options.ts';

/** The id of the suggestions for the field. */
const documentsId = 'known-documents';

/** The files of the index that the answers on the page name: their addresses are in no address bar. */
const knownDocuments = computed(() => {
  const known = new Map<string, KnownDocument>();
  for (const { search } of turns.value) {
    for (const { url, title } of search.value.sources) {
      if (url.startsWith('file:')) known.set(url, { address: url, names: [fileNameOf(url), title] });
    }
  }
  return [...known.values()];
});

interface SourcesPanelProps {
  readonly sources: Options['sources'];
  readonly onChange: (sources: Options['sources']) => void;
  readonly dates: Options['dates'];
  readonly onDates: (dates: Options['dates']) => void;
  /** Whether it was asked without the source that the choice needs, which is still missing. */
  readonly isMissing: boolean;
}

export function SourcesPanel({ sources, onChange, dates, onDates, isMissing }: SourcesPanelProps) {
  const { mode, entries } = sources;
  const [text, setText] = useState('');
  const [invalid, setInvalid] = useState('');
  const known = knownDocuments.value;
  const add = () => {
    const read = parseSourceList(text, known);
    const added = read.entries.filter((entry) => !entries.includes(entry));
    if (added.length > 0) onChange({ mode, entries: [...entries, ...added] });
    setText(read.invalid);
    setInvalid(read.invalid);
  };
  const choose = (next: SourceMode) => onChange({ mode: next, entries: next === 'any' ? [] : entries });
  const lacks = isMissing ? t.composer.needsSource : undefined;
  const error = invalid === '' ? lacks : fill(t.composer.noAddress, { entry: invalid });
  return (
    <fieldset class="panel">
      <legend class="visually-hidden">{t.composer.sources}</legend>
      <CollectionChoices />
      <div class="choices">
        {Object.entries(sourceModes).map(([value, label]) => (
          <label key={value} class="choice">
            <input
              type="radio"
              name="source-mode"
              checked={mode === value}
              onChange={() => choose(value as SourceMode)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {mode !== 'any' && (
        <>
          <Field
            label={t.composer.sites}
            hint={t.composer.sitesHint}
            error={error}
            list={documentsId}
            value={text}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setInvalid('');
            }}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <datalist id={documentsId}>
            {known.map(({ address, names: [name] }) => (
              <option key={address} value={address}>
                {name}
              </option>
            ))}
          </datalist>
          {entries.length > 0 && (
            <ul class="entries">
              {entries.map((entry) => (
                <li key={entry} class="entry">
                  {entry}
                  <IconButton
                    label={fill(t.composer.remove, { entry })}
                    onClick={() => onChange({ mode, entries: entries.filter((each) => each !== entry) })}
                  >
                    <CloseIcon size={12} />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      <div class="dates">
        <Field
          label={t.composer.from}
          type="date"
          value={dates.from}
          max={dates.to || undefined}
          onInput={(event) => onDates({ ...dates, from: event.currentTarget.value })}
        />
        <Field
          label={t.composer.to}
          type="date"
          value={dates.to}
          min={dates.from || undefined}
          onInput={(event) => onDates({ ...dates, to: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  );
}

interface FormatPanelProps {
  readonly format: OutputFormat | undefined;
  readonly onChange: (format: OutputFormat | undefined, isInvalid: boolean) => void;
  /** Counts the attempts to ask while the format is invalid. */
  readonly attempts: number;
  readonly isHidden: boolean;
}

/** The template that text was chosen instead of, and who had it: the panel is removed when it is closed. */
let kept: { readonly format: OutputFormat | undefined; readonly by: SignedIn | undefined } | undefined;

export function FormatPanel({ format, onChange, attempts, isHidden }: FormatPanelProps) {
  const [isOn, setIsOn] = useState(format !== undefined);
  /** What the editor has, which stays while text is chosen. */
  const edited = useRef(format ?? (kept?.by === signedIn.value ? kept?.format : undefined));
  const wasOn = useRef(isOn);
  const edit = (next: OutputFormat | undefined) => {
    edited.current = next;
    onChange(next, next === undefined);
  };
  const turn = (next: boolean) => {
    setIsOn(next);
    if (next) {
      wasOn.current = true;
      edit(edited.current);
      return;
    }
    kept = { format: edited.current, by: signedIn.value };
    onChange(undefined, false);
  };
  return (
    <fieldset class="panel" hidden={isHidden}>
      <legend class="visually-hidden">{t.composer.answerFormat}</legend>
      <div class="choices">
        <label class="choice">
          <input type="radio" name="format-mode" checked={!isOn} onChange={() => turn(false)} />
          <span>{t.composer.text}</span>
        </label>
        <label class="choice">
          <input type="radio" name="format-mode" checked={isOn} onChange={() => turn(true)} />
          <span>{t.composer.data}</span>
        </label>
      </div>
      {wasOn.current && (
        <div hidden={!isOn}>
          <LoadedTemplateEditor template={edited.current} onChange={edit} attempts={attempts} />
        </div>
      )}
    </fieldset>
  );
}
