/** Checks that the model named by a request exists. */
import { preview } from '../../../protocol/preview.ts';
import { invalid } from '../../base/errors.ts';
import type { Engine } from '../../engine/engine.ts';

/** Throws a 422 that lists the models, unless the name is one of them; without a name the default answers. */
export function checkModel({ models }: Pick<Engine, 'models'>, name: string | undefined): void {
  if (name === undefined || models.some((model) => model.name === name)) return;
  const names = models.map((model) => JSON.stringify(model.name)).join(', ');
  const expected = models.length === 1 ? `the model ${names}` : `one of the models ${names}`;
  throw invalid(['body', 'model'], `expected ${expected}; got ${preview(name)}`, 'value_error');
}
