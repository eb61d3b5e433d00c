/** The times of all messages, as `Date.toISOString` writes them. */
import * as z from 'zod';

/** To the millisecond, in UTC. */
export const Timestamp = z.iso.datetime({ precision: 3 });
