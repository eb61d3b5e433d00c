/** Every scripted behaviour by its name, and a model server that answers each question with the one that it names. */
import { type ModelServer, startModelServer } from '../servers/model-server.ts';
import { type Behaviour, rejection, tagIn } from './behaviour.ts';
import { claimed } from './claims.ts';
import { endpoints } from './endpoints.ts';
import { faults } from './faults.ts';
import { forms } from './forms.ts';
import { injected } from './injected.ts';
import { json } from './json.ts';
import { layouts } from './layouts.ts';
import { markers } from './markers.ts';
import { thinking } from './thinking.ts';

export const behaviours: Readonly<Record<string, Behaviour>> = {
  ...endpoints,
  ...thinking,
  ...json,
  ...faults,
  ...claimed,
  ...layouts,
  ...markers,
  ...injected,
  ...forms,
};

/** A question without the name of a behaviour is an error, so that no test passes because nobody misbehaved. */
export function startBehavingServer(): Promise<ModelServer> {
  const counts = new Map<string, number>();
  return startModelServer((call) => {
    const name = tagIn(call.prompt) ?? '';
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return behaviours[name]?.(call, count) ?? rejection(404, `no behaviour ${JSON.stringify(name)}`);
  });
}
