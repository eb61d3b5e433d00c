/** The examples of a design: inputs that are run before a version of it is published. */
import type { Design, ValidationError } from '../../../protocol/index.ts';
import { Button } from '../components/button.tsx';
import { issueOf } from './design-form.ts';

interface ExamplesProps {
  readonly design: Design;
  readonly issues: readonly ValidationError[];
  readonly onUse: (inputs: Record<string, unknown>) => void;
  readonly onChange: (examples: Design['examples']) => void;
}

export function Examples({ design: { examples }, issues, onUse, onChange }: ExamplesProps) {
  return (
    <fieldset class="form-part">
      <legend>Examples</legend>
      <p class="page-about">
        They are run before a version is published, and all must have its shape. Fill in the inputs beside, then “Keep
        as example”.
      </p>
      {examples.length > 0 && (
        <ul class="rows" aria-label="Examples">
          {examples.map(({ inputs }, at) => {
            const fault = issueOf(issues, 'examples', at);
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
                  {fault !== undefined && <span class="field-error">{fault}</span>}
                </div>
                <div class="row-actions">
                  <Button look="quiet" aria-label={`Use example ${at + 1}`} onClick={() => onUse(inputs)}>
                    Use
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={`Remove example ${at + 1}`}
                    onClick={() => onChange(examples.filter((_, other) => other !== at))}
                  >
                    Remove
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
