/** How a design is researched: its effort and model, and which sources and collections its runs may use. */

import { useState } from 'preact/hooks';
import type { Capabilities, Design, ValidationError } from '../../../protocol/index.ts';
import { AreaField, SelectField } from '../components/field.tsx';
import { Link } from '../dashboard/router.tsx';
import { SegmentedControl } from '../dashboard/segmented-control.tsx';
import { call } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { t } from '../language/designer/text.ts';
import { fill, rich } from '../language/message.ts';
import { useCollections } from './collection-names.ts';
import { issueOf, without } from './design-form.ts';

interface ResearchFieldsProps {
  readonly design: Design;
  readonly issues: readonly ValidationError[];
  readonly onChange: (design: Design) => void;
}

const efforts = { fast: t.research.fast, balanced: t.research.balanced, deep: t.research.deep } as const;

export function ResearchFields({ design, issues, onChange }: ResearchFieldsProps) {
  return (
    <fieldset class="form-part">
      <legend>{t.research.title}</legend>
      <SegmentedControl
        label={t.research.effort}
        choices={efforts}
        chosen={design.effort}
        onChoose={(effort) => onChange({ ...design, effort })}
      />
      <ModelField design={design} issues={issues} onChange={onChange} />
      <CollectionFields design={design} issues={issues} onChange={onChange} />
      <SourceFields design={design} issues={issues} onChange={onChange} />
    </fieldset>
  );
}

function ModelField({ design, issues, onChange }: ResearchFieldsProps) {
  const { data } = useLoad(() => call<Capabilities>('GET', '/v1/capabilities'), []);
  const models = data?.models ?? [];
  const { model = '' } = design;
  const [first] = models;
  const isUnknown = data !== undefined && model !== '' && models.every(({ name }) => name !== model);
  const hint =
    data === undefined
      ? undefined
      : first?.kind === 'extractive'
        ? t.research.onlyQuotes
        : models.length === 1
          ? t.research.onlyModel
          : t.research.serverDefault;
  return (
    <SelectField
      label={t.research.model}
      value={model}
      disabled={models.length < 2 && model === ''}
      hint={hint}
      error={issueOf(issues, 'model') ?? (isUnknown ? fill(t.research.missing, { name: model }) : undefined)}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === '' ? without(design, 'model') : { ...design, model: value })
      }
    >
      <option value="">
        {first === undefined ? t.research.default : fill(t.research.defaultModel, { name: modelText(first) })}
      </option>
      {models.map((each) => (
        <option key={each.name} value={each.name}>
          {modelText(each)}
        </option>
      ))}
      {model !== '' && models.every(({ name }) => name !== model) && (
        <option value={model} disabled={isUnknown}>
          {isUnknown ? fill(t.research.missingChoice, { name: model }) : model}
        </option>
      )}
    </SelectField>
  );
}

function modelText({ name, kind }: Capabilities['models'][number]): string {
  return kind === 'extractive' ? t.research.noModel : name;
}

function CollectionFields({ design, issues, onChange }: ResearchFieldsProps) {
  const { items } = useCollections();
  const { collections: chosen = [] } = design;
  const error = issueOf(issues, 'collections');
  const gone = items === undefined ? [] : chosen.filter((id) => items.every((each) => each.collection_id !== id));
  const set = (next: readonly string[]) =>
    onChange(next.length === 0 ? without(design, 'collections') : { ...design, collections: [...next] });
  const all = [...(items ?? []), ...gone.map((id) => ({ collection_id: id, name: fill(t.research.deleted, { id }) }))];
  return (
    <fieldset class="checks">
      <legend class="field-label">{t.research.collections}</legend>
      {all.map(({ collection_id, name }) => (
        <label key={collection_id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(collection_id)}
            onChange={({ currentTarget: { checked } }) =>
              set(checked ? [...chosen, collection_id] : chosen.filter((id) => id !== collection_id))
            }
          />
          {name}
        </label>
      ))}
      {error !== undefined && <p class="field-error">{error}</p>}
      <p class="field-hint">
        {items?.length === 0 && rich(t.research.noCollections, { link: (words) => <Link to="/sources">{words}</Link> })}
        {items !== undefined && items.length > 0 && chosen.length === 0 && t.research.allSources}
        {chosen.length > 0 && t.research.onlyCollections}
      </p>
    </fieldset>
  );
}

const lists = {
  none: t.research.anySource,
  source_whitelist: t.research.only,
  source_blacklist: t.research.except,
} as const;

function SourceFields({ design, issues, onChange }: ResearchFieldsProps) {
  const [list, setList] = useState<keyof typeof lists>(
    design.source_whitelist ? 'source_whitelist' : design.source_blacklist ? 'source_blacklist' : 'none',
  );
  const [text, setText] = useState(() => (design.source_whitelist ?? design.source_blacklist ?? []).join('\n'));
  const change = (nextList: keyof typeof lists, nextText: string) => {
    setList(nextList);
    setText(nextText);
    const entries = nextText
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const bare = without(design, 'source_whitelist', 'source_blacklist');
    onChange(nextList === 'none' || entries.length === 0 ? bare : { ...bare, [nextList]: entries });
  };
  return (
    <>
      <SegmentedControl
        label={t.research.sources}
        choices={lists}
        chosen={list}
        onChoose={(next) => change(next, text)}
      />
      {list !== 'none' && (
        <AreaField
          label={lists[list]}
          rows={3}
          value={text}
          spellcheck={false}
          hint={t.research.listHint}
          error={issueOf(issues, list)}
          onInput={(event) => change(list, event.currentTarget.value)}
        />
      )}
    </>
  );
}
