/** The input for a question and its options: image, sources, effort and answer format. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { signedIn } from '../../account/signed-in.ts';
import { isComposing } from '../../components/composing.ts';
import { useDrop } from '../../components/files/use-drop.ts';
import { FormatIcon, SourcesIcon } from '../../components/icons.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { lastPrompt, opening, turns } from '../thread/conversation.ts';
import { ask, changesOfThread } from '../thread/thread.ts';
import { isSignedOut } from '../thread/turn.ts';
import { AttachButtons } from './attachments/attach-buttons.tsx';
import { AttachedImage } from './attachments/attached-image.tsx';
import { DocumentList } from './attachments/document-list.tsx';
import {
  attachAgain,
  checkAttached,
  detachFailed,
  documentAddresses,
  documents,
  isPreparing,
} from './attachments/documents.ts';
import { pastedFiles } from './attachments/pasted-files.ts';
import { useFiles } from './attachments/use-files.ts';
import { chosenCollections, collectionsField } from './collections.ts';
import { FormatPanel, SourcesPanel } from './composer-panels.tsx';
import { restoreDraft, useKeptDraft } from './draft.ts';
import { noImages } from './models.ts';
import { PanelButton } from './panel-button.tsx';
import { isTooLong, LengthNote } from './question-length.tsx';
import {
  buildRequest,
  defaultOptions,
  type Effort,
  efforts,
  needsSource,
  newThreadOptions,
  type Options,
} from './search-options.ts';
import { isAwaited, useAwaited } from './send/awaited-question.ts';
import { SendButton } from './send/send-button.tsx';

export interface ComposerProps {
  readonly isFollowUp: boolean;
  /** Cancels the running search; undefined when none is running. */
  readonly onStop: (() => void) | undefined;
  /** Whether a search was stopped and the server has not confirmed it yet: what follows up on it waits. */
  readonly isStopping: boolean;
}

type PanelName = 'sources' | 'format';

export function Composer({ isFollowUp, onStop, isStopping }: ComposerProps) {
  const [draft] = useState(restoreDraft);
  const [prompt, setPrompt] = useState(draft?.prompt ?? '');
  const [options, setOptions] = useState<Options>(draft?.options ?? defaultOptions);
  const [panel, setPanel] = useState<PanelName | undefined>(undefined);
  const [isFormatInvalid, setFormatInvalid] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const [isSourceMissing, setSourceMissing] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const change = (next: Partial<Options>) => setOptions((before) => ({ ...before, ...next }));
  const focus = () => area.current?.focus({ preventScroll: true });
  const { take, takeImage, isReadingImage } = useFiles((image) => change({ image }), focus);
  // What is asked while a thread is being opened would not be part of it.
  // Nor would it be asked while nobody is signed in.
  const opened = opening.value;
  const isSignedIn = !(typeof opened === 'object' && opened.code === 'unauthorized') && !turns.value.some(isSignedOut);
  const isReady = !isStopping && !isReadingImage && opened !== true && isSignedIn;
  const isQuestion = prompt.trim() !== '' && !isTooLong(prompt);
  // A document that is being prepared will be a source.
  const lacksSource = needsSource(options) && documentAddresses.value.length === 0 && !isPreparing.value;
  const canSend = isQuestion && !isPreparing.value && onStop === undefined && isReady;
  const toggle = (name: PanelName) => setPanel((open) => (open === name ? undefined : name));

  const chosen = chosenCollections.value;
  // Until its thread has been read, none are chosen.
  const collections = opened === false || chosen.length > 0 ? chosen : undefined;
  useKeptDraft({ prompt, options, documents: documentAddresses.value, collections });
  useEffect(() => {
    if (draft?.collections !== undefined) chosenCollections.value = draft.collections;
    if (documents.value.length > 0 || draft === undefined) return;
    attachAgain(draft.documents);
    if (signedIn.value !== undefined) void checkAttached(signedIn.value.client);
  }, []);
  useEffect(() => {
    // Also in a new thread: the button that began it is gone.
    if (document.activeElement === document.body) focus();
  }, [isFollowUp]);
  useEffect(() => fitHeight(area.current!), [prompt]);
  const thread = changesOfThread.value;
  const firstThread = useRef(thread);
  useEffect(() => {
    if (thread === firstThread.current) return;
    // Like collections and documents, they belong to the thread; what is being written goes on.
    change(newThreadOptions);
    setFormatInvalid(false);
    setPanel(undefined);
  }, [thread]);
  useEffect(() => {
    if (options.image === undefined || noImages.value === undefined) return;
    change({ image: undefined });
    toast(`${noImages.value} ${t.composer.imageRemoved}`);
  }, [noImages.value]);

  const isOver = useDrop(take);
  const send = () => {
    if (!isQuestion) return;
    if (lacksSource) {
      setPanel('sources');
      setSourceMissing(true);
      return;
    }
    if (isFormatInvalid) {
      setPanel('format');
      setAttempts((before) => before + 1);
      return;
    }
    if (!canSend) {
      isAwaited.value = true;
      return;
    }
    ask(buildRequest(prompt, options, documentAddresses.value));
    detachFailed();
    setSourceMissing(false);
    setPrompt('');
    change({ image: undefined });
    setPanel(undefined);
  };
  useAwaited({
    canSend,
    isRunning: onStop !== undefined,
    isComplete: () => turns.peek().at(-1)?.search.peek().state === 'completed',
    send,
  });

  const askLater = () => {
    isAwaited.value = false;
    area.current?.focus();
  };
  const stop = onStop ?? (isAwaited.value ? askLater : undefined);
  // Focus matters only to keyboard users: on a phone, it would open the keyboard over the answer.
  const isButtonFocused = document.activeElement?.matches('.composer-send:focus-visible') === true;
  useLayoutEffect(() => {
    // Stop becomes Ask, which is disabled in an empty box and would lose the focus.
    if (isButtonFocused && stop === undefined && !isQuestion) focus();
  }, [stop === undefined]);

  return (
    <form
      class={isOver ? 'composer composer-over' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onPaste={(event) => {
        const files = pastedFiles(event.clipboardData);
        if (files.length === 0) return;
        event.preventDefault();
        take(files);
      }}
    >
      {isOver && <p class="composer-drop">{noImages.value === undefined ? t.documents.dropAny : t.documents.drop}</p>}
      {panel === 'sources' && (
        <SourcesPanel
          sources={options.sources}
          onChange={(sources) => change({ sources })}
          dates={options.dates}
          onDates={(dates) => change({ dates })}
          isMissing={isSourceMissing && lacksSource}
        />
      )}
      {(panel === 'format' || isFormatInvalid) && (
        <FormatPanel
          format={options.format}
          attempts={attempts}
          isHidden={panel !== 'format'}
          onChange={(format, isInvalid) => {
            change({ format });
            setFormatInvalid(isInvalid);
          }}
        />
      )}
      <DocumentList onRemoved={() => area.current?.focus()} />
      {options.image !== undefined && (
        <AttachedImage
          image={options.image}
          onRemove={() => {
            change({ image: undefined });
            // The button goes with the image.
            area.current?.focus();
          }}
        />
      )}
      <p class="composer-note" role="status">
        {isAwaited.value && !isPreparing.value ? t.composer.asksNext : ''}
      </p>
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        aria-label={t.composer.question}
        placeholder={isFollowUp ? t.composer.followUp : t.composer.first}
        value={prompt}
        onInput={(event) => {
          setPrompt(event.currentTarget.value);
          // It would be asked while it is being written.
          isAwaited.value = false;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp' && prompt === '' && lastPrompt.value !== '') {
            event.preventDefault();
            setPrompt(lastPrompt.value);
          }
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <LengthNote of={prompt} />
      <div class="composer-row">
        <AttachButtons onFiles={take} onImage={takeImage} />
        <PanelButton
          name={t.composer.sources}
          isOpen={panel === 'sources'}
          isSet={
            collectionsField().collections !== undefined ||
            options.sources.entries.length > 0 ||
            options.dates.from !== '' ||
            options.dates.to !== ''
          }
          onClick={() => toggle('sources')}
        >
          <SourcesIcon />
        </PanelButton>
        <PanelButton
          name={t.composer.format}
          isOpen={panel === 'format'}
          isSet={options.format !== undefined || isFormatInvalid}
          onClick={() => toggle('format')}
        >
          <FormatIcon />
        </PanelButton>
        <select
          class="composer-effort"
          aria-label={t.composer.effort}
          value={options.effort}
          onChange={(event) => change({ effort: event.currentTarget.value as Effort })}
        >
          {Object.entries(efforts).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <SendButton isEmpty={!isQuestion} onStop={stop} />
      </div>
    </form>
  );
}

function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}
