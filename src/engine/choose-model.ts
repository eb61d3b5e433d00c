/** The models that a request may name, and the ports of a search that uses one of them. */
import type { Model } from './ports/model.ts';
import type { EnginePorts } from './ports.ts';

type ModelPorts = Pick<EnginePorts, 'model' | 'otherModels' | 'planner' | 'standby' | 'fallbackModel'>;

/** The models that a request may name, the default first and the extractive one last; their names are distinct. */
export function modelsOf({ model, otherModels = [], fallbackModel }: ModelPorts): readonly Model[] {
  return [model, ...otherModels, ...(fallbackModel === undefined ? [] : [fallbackModel])];
}

/**
 * The ports with the named model in place of `model`. The extractive model works alone; any other keeps the planner and the
 * fallbacks. Throws an Error for a name that is not among `modelsOf`: callers check it first.
 */
export function portsWithModel<Ports extends ModelPorts>(ports: Ports, name: string | undefined): Ports {
  if (name === undefined || name === ports.model.name) return ports;
  const model = modelsOf(ports).find((each) => each.name === name);
  if (model === undefined) throw new Error(`Expected the name of a model; got ${JSON.stringify(name)}.`);
  if (model !== ports.fallbackModel) return { ...ports, model };
  return { ...ports, model, planner: undefined, standby: undefined, fallbackModel: undefined };
}
