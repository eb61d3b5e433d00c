/** Which new traces are recorded: the samplers of OTEL_TRACES_SAMPLER, as the SDK specification has them. */
import type { SamplerName } from '../base/settings/telemetry-settings.ts';
import type { TraceContext } from '../base/traceparent.ts';

/** Whether a trace is recorded, from its id and the caller's span. `ratio` is from 0 to 1. */
export function createSampler(
  name: SamplerName,
  ratio: number,
): (trace_id: string, parent: TraceContext | undefined) => boolean {
  const [root, isParentBased] = [name.replace('parentbased_', ''), name.startsWith('parentbased_')];
  // The last 56 bits of an id are random (W3C Trace Context, level 2); 52 of them are a whole number exactly.
  const below = ratio * 2 ** 52;
  const decide = (trace_id: string) => {
    if (root === 'traceidratio') return Number.parseInt(trace_id.slice(-13), 16) < below;
    return root === 'always_on';
  };
  return (trace_id, parent) => (isParentBased && parent !== undefined ? parent.sampled : decide(trace_id));
}
