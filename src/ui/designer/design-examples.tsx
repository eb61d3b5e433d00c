/** The examples of a design: inputs that are run before a version is published. */
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
        Examples run before a version is published, and every result must match the answer format. Fill in the inputs
        under “Try it”, then choose “Save as example”.
      </p>
      {examples.length > 0 && (
        <ul class="rows" aria-label="Examples">
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
