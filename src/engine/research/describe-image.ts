/** The image of a request, turned into words for the brief, so that every later stage can use it. */
import type { SearchEvent } from '../../../protocol/index.ts';
import { BudgetSpent } from '../budget.ts';
import type { SearchContext } from '../search-context.ts';

/** Characters; set by hand: the model is asked for 120 words. */
const maxDescription = 4_000;

/** Returns the context with `brief.imageDescription`; unchanged, with a warning, if the image could not be used. */
export async function* describeImage(context: SearchContext): AsyncGenerator<SearchEvent, SearchContext> {
  const { ports, job, brief, fallback, budget, signal } = context;
  const { model } = ports;
  const held = job.image;
  if (held === undefined) return context;
  if (model.describeImage === undefined) {
    const isChosen = job.request.model !== undefined;
    yield notUsed(isChosen ? 'The chosen model takes no images.' : 'No model with vision is configured.');
    return context;
  }
  const image = held === 'unavailable' ? undefined : held.image();
  if (held === 'unavailable' || image === undefined) {
    yield notUsed('The image could not be fetched.');
    return context;
  }
  try {
    const shown = await model.describeImage(image, brief, fallback.contextFor(model, 'research'));
    const imageDescription = shown.trim().slice(0, maxDescription);
    return imageDescription === '' ? context : { ...context, brief: { ...brief, imageDescription } };
  } catch (error) {
    // Does not count as a failure of the model: many that write well have no vision.
    signal.throwIfAborted();
    if (error instanceof BudgetSpent) budget.stop(error.item);
    yield notUsed('The model could not read the image.');
    return context;
  } finally {
    held.release();
  }
}

function notUsed(message: string): SearchEvent {
  return { type: 'warning', code: 'image_not_used', message };
}
