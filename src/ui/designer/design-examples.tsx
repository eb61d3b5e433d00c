/** The examples of a design: inputs that are run before a version is published. */

import { useRef } from 'preact/hooks';
import type { Design, ValidationError } from '../../../protocol/index.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/designer/text.ts';
import { fill } from '../language/message.ts';
import { issueOf } from './design-form.ts';

interface ExamplesProps {
  readonly design: Design;
  readonly issues: readonly ValidationError[];
  readonly onUse: (inputs: Record<string, unknown>) => void;
  readonly onChange: (examples: Design['examples']) => void;
}

export function Examples({ design: { examples }, issues, onUse, onChange }: ExamplesProps) {
  const part = useRef<HTMLFieldSetElement>(null);
  return (
    <fieldset ref={part} class="form-part" tabIndex={-1}>
      <legend>{t.examples.title}</legend>
      <p class="page-about">{t.examples.about}</p>
      {examples.length > 0 && (
        <ul class="rows" aria-label={t.examples.title}>
          {examples.map(({ inputs }, at) => {
            const error = issueOf(issues, 'examples', at);
            return (
              <li key={at} class="row">
                <div class="row-main">
                  <span class="example-inputs">
                    {Object.entries(inputs).map(([name, value]) => (
                      <span key={name}>
                        <b>{name}</b> {String(value)}
                      </span>
                    ))}
                  </span>
                  {error !== undefined && <span class="field-error">{error}</span>}
                </div>
                <div class="row-actions">
                  <Button
                    look="quiet"
                    aria-label={fill(t.examples.useOf, { number: at + 1 })}
                    onClick={() => onUse(inputs)}
                  >
                    {t.examples.use}
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={fill(t.examples.removeOf, { number: at + 1 })}
                    onClick={() => {
                      onChange(examples.filter((_, other) => other !== at));
                      // The button goes with the example.
                      part.current?.focus({ preventScroll: true });
                    }}
                  >
                    {t.examples.remove}
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </fieldset>
  );
}
