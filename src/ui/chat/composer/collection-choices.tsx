/** Chooses collections for the thread; empty if the account has none. */
import { useEffect } from 'preact/hooks';
import { t } from '../../language/text.ts';
import { chosenCollections, collections, readCollections } from './collections.ts';

export function CollectionChoices() {
  useEffect(readCollections, []);
  if (collections.value.length === 0) return null;
  const chosen = chosenCollections.value;
  return (
    <fieldset class="collections">
      <legend>{t.composer.collections}</legend>
      <div class="choices">
        {collections.value.map(({ collection_id, name }) => (
          <label key={collection_id} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(collection_id)}
              onChange={({ currentTarget: { checked } }) => {
                const others = chosen.filter((id) => id !== collection_id);
                chosenCollections.value = checked ? [...others, collection_id] : others;
              }}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <p class="field-hint">{t.composer.collectionsHint}</p>
    </fieldset>
  );
}
