/** The question of a turn: its image, its other versions, and editing it, which asks another version. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { formatList } from '../../components/format.ts';
import { BackIcon, EditIcon, ForwardIcon } from '../../components/icons.tsx';
import { counted, fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { documentNames } from '../composer/attachments/documents.ts';
import { collectionNames } from '../composer/collections.ts';
import { isTooLong, LengthNote } from '../composer/question-length.tsx';
import { imageUrl } from '../composer/search-options.ts';
import { lacksImage, lostImage, versionOf } from './conversation.ts';
import { QuestionText } from './question-text.tsx';
import { askAgain, showVersion } from './thread.ts';
import type { Turn } from './turn.ts';

/** The label of the button that gets the focus when it is shown next: the buttons of a version go with it. */
let nextFocus: string | undefined;

export function QuestionHead({ turn }: { readonly turn: Turn }) {
  const [isEditing, setIsEditing] = useState(false);
  const tools = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (nextFocus === undefined || tools.current === null) return;
    const buttons = [...tools.current.querySelectorAll<HTMLButtonElement>('button:enabled')];
    (buttons.find(({ title }) => title === nextFocus) ?? buttons[0])?.focus();
    nextFocus = undefined;
  }, [isEditing]);
  const show = (version: number, label: string) => {
    nextFocus = label;
    showVersion(turn, version);
  };
  const endEditing = () => {
    nextFocus = t.thread.edit;
    setIsEditing(false);
  };
  const { request } = turn;
  if (isEditing && request !== undefined) {
    return <QuestionEditor turn={turn} onClose={endEditing} />;
  }
  const { at, of } = versionOf(turn);
  const names = askedOf(request?.source_whitelist);
  const asked = collectionNames(request?.collections);
  return (
    <div class="question-head">
      <QuestionText prompt={turn.prompt.value} />
      {request?.image !== undefined && (
        <img class="question-image" src={imageUrl(request.image)} alt={t.composer.attached} />
      )}
      {names.length > 0 && <p class="question-note">{fill(t.documents.askedOf, { names: formatList(names) })}</p>}
      {asked.length > 0 && (
        <p class="question-note">
          {counted(t.composer.askedOfCollections, asked.length, { names: formatList(asked) })}
        </p>
      )}
      {lostImage(turn) && <p class="question-note">{t.thread.imageLost}</p>}
      {lacksImage(turn) && <p class="question-note">{t.thread.imageOmitted}</p>}
      <div class="question-tools" ref={tools}>
        {of > 1 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
          <span class="versions" role="group" aria-label={t.thread.versions}>
            <IconButton label={t.thread.earlier} disabled={at === 1} onClick={() => show(at - 1, t.thread.earlier)}>
              <BackIcon size={14} />
            </IconButton>
            <span>{fill(t.reader.place, { at, of })}</span>
            <IconButton label={t.thread.later} disabled={at === of} onClick={() => show(at + 1, t.thread.later)}>
              <ForwardIcon size={14} />
            </IconButton>
          </span>
        )}
        {request !== undefined && (
          <IconButton label={t.thread.edit} onClick={() => setIsEditing(true)}>
            <EditIcon size={16} />
          </IconButton>
        )}
      </div>
    </div>
  );
}

/** The documents that a question was restricted to, with what else it was allowed; empty if there are no documents among it. */
function askedOf(whitelist: readonly string[] = []): string[] {
  if (documentNames(whitelist).length === 0) return [];
  return whitelist.map((entry) => documentNames([entry])[0] ?? entry);
}

function QuestionEditor({ turn, onClose }: { readonly turn: Turn; readonly onClose: () => void }) {
  const [prompt, setPrompt] = useState(turn.prompt.value);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(prompt.length, prompt.length);
  }, []);
  const canSend = prompt.trim() !== '' && !isTooLong(prompt);
  const send = () => {
    if (!canSend) return;
    askAgain(turn, { ...turn.request!, prompt: prompt.trim() });
    onClose();
  };
  return (
    <form
      class="question-editor"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return;
        // Otherwise it would stop the search that runs.
        event.preventDefault();
        onClose();
      }}
    >
      <textarea
        ref={area}
        class="input"
        dir="auto"
        aria-label={t.thread.edit}
        rows={2}
        value={prompt}
        onInput={(event) => setPrompt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <LengthNote of={prompt} />
      {lostImage(turn) && <p class="question-note">{t.thread.imageLost}</p>}
      <div class="question-tools">
        <Button onClick={onClose}>{t.dialog.cancel}</Button>
        <Button look="main" type="submit" disabled={!canSend}>
          {t.composer.send}
        </Button>
      </div>
    </form>
  );
}
