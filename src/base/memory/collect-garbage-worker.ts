/** A task for the workers of any pool. */
import { collectGarbage } from './collect-garbage.ts';

export default collectGarbage;
