/** A button that opens a list of actions. Arrow keys move through it; Escape, Tab, a choice and a press elsewhere close it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from './button.tsx';

export interface MenuAction {
  readonly label: string;
  readonly isDanger?: boolean;
  /** In a list of choices, whether this is the current one. */
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
}

export interface MenuProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly class?: string;
  /** Shown beside the icon. */
  readonly text?: string;
  /** The icon of the button. */
  readonly children: ComponentChildren;
}

export function Menu({ label, actions, class: more = '', text, children }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...root.current!.querySelectorAll<HTMLButtonElement>('.menu-item')];
  const closeAndRefocus = () => {
    setIsOpen(false);
    root.current?.querySelector('button')?.focus();
  };

  useLayoutEffect(() => {
    if (isOpen) moveIntoWindow(list.current!);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    items()[0]?.focus();
    const onPress = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setIsOpen(false);
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const next = moves[event.key];
    if (event.key === 'Escape') {
      event.stopPropagation();
      closeAndRefocus();
    } else if (event.key === 'Tab') setIsOpen(false);
    else if (next !== undefined) all[next]?.focus();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  };

  const button = { 'aria-haspopup': 'menu', 'aria-expanded': isOpen, onClick: () => setIsOpen(!isOpen) } as const;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons within
    <div ref={root} class={`menu ${more}`} onKeyDown={onKeyDown}>
      {text === undefined ? (
        <IconButton label={label} {...button}>
          {children}
        </IconButton>
      ) : (
        <Button look="quiet" aria-label={label} {...button}>
          {children} {text}
        </Button>
      )}
      {isOpen && (
        <div ref={list} class="menu-list" role="menu" aria-label={label}>
          {actions.map(({ label: action, isDanger = false, isChosen, onChoose }) => (
            <button
              key={action}
              type="button"
              {...(isChosen === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isChosen })}
              tabIndex={-1}
              class={isDanger ? 'menu-item menu-item-danger' : 'menu-item'}
              onClick={() => {
                closeAndRefocus();
                onChoose();
              }}
            >
              {action}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Pixels that stay free at the sides of the window. */
const margin = 8;

/** A list hangs at one side of its button, and may be wider than the window is there. */
function moveIntoWindow(list: HTMLElement): void {
  const { left, right } = list.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const by = left < margin ? margin - left : Math.min(0, width - margin - right);
  if (by !== 0) list.style.translate = `${by}px`;
}
