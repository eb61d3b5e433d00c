/** The collections that a question can be restricted to, and those that the key is restricted to. */
import { useEffect } from 'preact/hooks';
import { formatList } from '../../components/format.ts';
import { counted } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { chosenCollections, collections, namesOfKey, readCollections } from './collections.ts';

/** Chooses collections for the thread; empty if the account has none. */
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
      <p class="field-hint">{namesOfKey.value ? t.composer.collectionsHintOfKey : t.composer.collectionsHint}</p>
    </fieldset>
  );
}

/** What the key searches, if that is not everything. */
export function CollectionsOfKey() {
  const names = namesOfKey.value;
  if (names === undefined) return null;
  return (
    <p class="key-note">
      {names.length === 0
        ? t.composer.keyCollectionsGone
        : counted(t.composer.keyCollections, names.length, { names: formatList(names) })}
    </p>
  );
}
