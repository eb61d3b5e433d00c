/** Labelled form fields; a hint or an error is shown below and linked for screen readers. */
import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface About {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What was expected and what was entered. */
  readonly error?: string | undefined;
}

export function Field({ label, hint, error, ...rest }: About & InputHTMLAttributes) {
  return <Labelled {...{ label, hint, error }}>{(tied) => <input {...rest} {...tied} class="input" />}</Labelled>;
}

export function AreaField({ label, hint, error, ...rest }: About & TextareaHTMLAttributes) {
  return <Labelled {...{ label, hint, error }}>{(tied) => <textarea {...rest} {...tied} class="input" />}</Labelled>;
}

/** `children` are the options. */
export function SelectField({
  label,
  hint,
  error,
  children,
  ...rest
}: About & SelectHTMLAttributes & { readonly children: ComponentChildren }) {
  return (
    <Labelled {...{ label, hint, error }}>
      {(tied) => (
        <select {...rest} {...tied} class="input">
          {children}
        </select>
      )}
    </Labelled>
  );
}

interface Tied {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

function Labelled({ label, hint, error, children }: About & { readonly children: (tied: Tied) => unknown }) {
  const id = useId();
  const about = `${id}-about`;
  const text = error ?? hint;
  const tied = {
    id,
    'aria-describedby': text === undefined ? undefined : about,
    'aria-invalid': error === undefined ? undefined : true,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(tied) as never}
      {text !== undefined && (
        <p id={about} class={error === undefined ? 'field-hint' : 'field-error'}>
          {text}
        </p>
      )}
    </div>
  );
}
