/** Tabs, following the ARIA pattern: one tab stop, arrow keys between the tabs, the chosen panel below. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface TabsProps<Name extends string> {
  /** Accessible name of the tab list. */
  readonly label: string;
  /** Titles by name, in display order. */
  readonly tabs: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ComponentChildren;
}

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const names = Object.keys(tabs) as Name[];
  const moveTo = (name: Name | undefined) => {
    if (name === undefined) return;
    onChoose(name);
    document.getElementById(`${id}-${name}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = names.indexOf(chosen);
    const last = names.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    moveTo(names[next]);
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown} tabIndex={-1}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            class="tab"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
