/** Where a question is written, with all it may carry: a picture, sources, effort, the format of the answer. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../components/button.tsx';
import { ArrowUpIcon, CloseIcon, FormatIcon, PictureIcon, SourcesIcon, StopIcon } from '../../components/icons.tsx';
import { toast } from '../../components/toast.tsx';
import { ask } from '../thread/thread.ts';
import { FormatPanel, SourcesPanel } from './composer-panels.tsx';
import { pictureIn, readPicture } from './image.ts';
import { type Effort, efforts, noOptions, type Options, requestOf } from './request.ts';

export interface ComposerProps {
  readonly isFollowUp: boolean;
  /** Ends the search that runs; undefined when none does. */
  readonly onStop: (() => void) | undefined;
}

type PanelName = 'sources' | 'format';

export function Composer({ isFollowUp, onStop }: ComposerProps) {
  const [prompt, setPrompt] = useState('');
  const [options, setOptions] = useState<Options>(noOptions);
  const [panel, setPanel] = useState<PanelName | undefined>(undefined);
  const [formatFaulty, setFormatFaulty] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const canSend = prompt.trim() !== '' && onStop === undefined && !formatFaulty;
  const change = (next: Partial<Options>) => setOptions((before) => ({ ...before, ...next }));
  const toggle = (name: PanelName) => setPanel((open) => (open === name ? undefined : name));

  useEffect(() => area.current?.focus({ preventScroll: true }), []);
  useEffect(() => fitHeight(area.current!), [prompt]);

  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    await readPicture(file).then(
      (image) => change({ image }),
      (error: Error) => toast(error.message),
    );
  };
  const send = () => {
    if (!canSend) return;
    ask(requestOf(prompt, options));
    setPrompt('');
    change({ image: undefined });
    setPanel(undefined);
  };

  return (
    <form
      class={isOver ? 'composer composer-over' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onPaste={(event) => {
        const file = pictureIn(event.clipboardData?.files);
        if (file !== undefined) event.preventDefault();
        void take(file);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take(pictureIn(event.dataTransfer?.files));
      }}
    >
      {panel === 'sources' && <SourcesPanel sources={options.sources} onChange={(sources) => change({ sources })} />}
      {panel === 'format' && (
        <FormatPanel
          format={options.format}
          onChange={(format, isFaulty) => {
            change({ format });
            setFormatFaulty(isFaulty);
          }}
        />
      )}
      {options.image !== undefined && (
        <div class="composer-picture">
          <img src={options.image} alt="What the question is about" />
          <IconButton label="Remove the picture" onClick={() => change({ image: undefined })}>
            <CloseIcon size={14} />
          </IconButton>
        </div>
      )}
      <textarea
        ref={area}
        rows={1}
        aria-label="Your question"
        placeholder={isFollowUp ? 'Ask a follow-up' : 'Ask anything'}
        value={prompt}
        maxLength={40_000}
        onInput={(event) => setPrompt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="composer-row">
        <IconButton label="Add a picture" onClick={() => chooser.current?.click()}>
          <PictureIcon />
        </IconButton>
        <input
          ref={chooser}
          type="file"
          hidden
          accept="image/*"
          onChange={(event) => {
            void take(pictureIn(event.currentTarget.files ?? undefined));
            event.currentTarget.value = '';
          }}
        />
        <PanelButton
          name="Sources"
          isOpen={panel === 'sources'}
          isSet={options.sources.entries.length > 0}
          onClick={() => toggle('sources')}
        >
          <SourcesIcon />
        </PanelButton>
        <PanelButton
          name="Format"
          isOpen={panel === 'format'}
          isSet={options.format !== undefined}
          onClick={() => toggle('format')}
        >
          <FormatIcon />
        </PanelButton>
        <select
          class="composer-effort"
          aria-label="Effort"
          value={options.effort}
          onChange={(event) => change({ effort: event.currentTarget.value as Effort })}
        >
          {Object.entries(efforts).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        {onStop === undefined ? (
          <IconButton class="composer-send" look="main" type="submit" label="Ask" disabled={!canSend}>
            <ArrowUpIcon />
          </IconButton>
        ) : (
          <IconButton class="composer-send" look="main" label="Stop" onClick={onStop}>
            <StopIcon />
          </IconButton>
        )}
      </div>
    </form>
  );
}

interface PanelButtonProps {
  readonly name: string;
  readonly isOpen: boolean;
  /** Whether what the panel holds goes with the question. */
  readonly isSet: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function PanelButton({ name, isOpen, isSet, onClick, children }: PanelButtonProps) {
  return (
    <button
      type="button"
      class={isSet ? 'button button-quiet composer-panel-button is-set' : 'button button-quiet composer-panel-button'}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
      <span>{name}</span>
      {isSet && <span class="aside-text">(set)</span>}
    </button>
  );
}

function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}
