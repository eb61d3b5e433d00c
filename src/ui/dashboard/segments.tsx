/** A choice among a few, side by side: radio buttons that look like one control. */
import { useId } from 'preact/hooks';

interface SegmentsProps<Name extends string> {
  readonly label: string;
  /** Words by name, in their order. */
  readonly choices: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

export function Segments<Name extends string>({ label, choices, chosen, onChoose }: SegmentsProps<Name>) {
  const group = useId();
  return (
    <fieldset class="segments">
      <legend class="aside-text">{label}</legend>
      {(Object.keys(choices) as Name[]).map((name) => (
        <label key={name} class="segment">
          <input
            type="radio"
            class="aside-text"
            name={group}
            checked={name === chosen}
            onChange={() => onChoose(name)}
          />
          <span>{choices[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}
