/** Restricts a new key to collections; nothing where the account has none. */
import type { CollectionList } from '../../../../protocol/index.ts';
import { t } from '../../language/dashboard/text.ts';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';

interface CollectionFieldsProps {
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function CollectionFields({ chosen, onChange }: CollectionFieldsProps) {
  const { data } = useLoad(() => call<CollectionList>('GET', '/v1/collections'), []);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <fieldset class="checks">
      <legend class="field-label">{t.keys.collections}</legend>
      {data.items.map(({ collection_id, name }) => (
        <label key={collection_id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(collection_id)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, collection_id] : chosen.filter((id) => id !== collection_id))
            }
          />
          {name}
        </label>
      ))}
      <p class="field-hint">{chosen.length === 0 ? t.keys.allCollections : t.keys.onlyCollections}</p>
    </fieldset>
  );
}
