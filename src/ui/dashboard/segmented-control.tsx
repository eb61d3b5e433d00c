/** Radio buttons that look like one control. */
import { useId } from 'preact/hooks';

interface SegmentedControlProps<Name extends string> {
  readonly label: string;
  /** Labels by name, in display order. */
  readonly choices: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

export function SegmentedControl<Name extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: SegmentedControlProps<Name>) {
  const group = useId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{label}</legend>
      {(Object.keys(choices) as Name[]).map((name) => (
        <label key={name} class="segment">
          <input
            type="radio"
            class="visually-hidden"
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
