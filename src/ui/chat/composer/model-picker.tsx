/** Below the question: which model answers, as a choice if there are several. */

import { t } from '../../language/text.ts';
import { chooseModel, labelOf, model, models } from './models.ts';

export function ModelPicker() {
  const current = model.value;
  return (
    <div class="model-picker">
      {models.value.length === 1 && current !== undefined && <span>{labelOf(current)}</span>}
      {models.value.length > 1 && (
        <select
          aria-label={t.composer.model}
          value={current?.name}
          onChange={(event) => chooseModel(event.currentTarget.value)}
        >
          {models.value.map((each) => (
            <option key={each.name} value={each.name}>
              {labelOf(each)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
