/**
 * The models that can answer, as the server lists them, and the one that this browser chose. Every question is asked with it;
 * a choice that the server no longer offers counts as none.
 */
import { computed, effect, signal } from '@preact/signals';
import type { Capabilities, SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';

export type ModelChoice = Capabilities['models'][number];

const storageKey = 'citewire.model';

/** The default first; empty until the server has answered. */
export const models = signal<readonly ModelChoice[]>([]);
const chosen = signal(storedChoice());
/** The request for the list, which never rejects. */
let listing: Promise<void> = Promise.resolve();

/** Undefined until the server has answered. */
export const model = computed(() => models.value.find(({ name }) => name === chosen.value) ?? models.value[0]);

/** Why a question cannot have an image; undefined if it can, or if that is not known yet. */
export const noImages = computed(() => {
  if (model.value === undefined || model.value.images) return undefined;
  if (models.value.some(({ images }) => images)) return fill(t.composer.imagesNeed, { model: labelOf(model.value) });
  return t.composer.imagesNone;
});

export function chooseModel(name: string): void {
  chosen.value = name;
  try {
    localStorage.setItem(storageKey, name);
  } catch {
    // Then it is chosen for this visit only.
  }
}

/** Resolves when `modelField` has this browser's choice, if it made one and the server answers. */
export function choiceIsKnown(): Promise<void> {
  return chosen.value === undefined ? Promise.resolve() : listing;
}

/** The field `model` of a request; absent for the default. */
export function modelField(): Pick<SearchInput, 'model'> {
  const { name } = model.value ?? {};
  return name === undefined || name === models.value[0]?.name ? {} : { model: name };
}

export function labelOf({ name, kind }: ModelChoice): string {
  return kind === 'extractive' ? t.composer.noModel : name;
}

/** Keeps the list up to date with who is signed in. A failure is not shown, since the chat works with the default model. */
export function loadModels(): void {
  effect(() => {
    const { client } = signedIn.value ?? {};
    if (client === undefined) return;
    listing = client.capabilities().then(
      (found) => {
        models.value = found.models;
      },
      () => {},
    );
  });
}

function storedChoice(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}
