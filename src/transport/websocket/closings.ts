/** Why the server closes a WebSocket, as it announces it. */
import { closeCodes, errorTable, type ServerFrame, sessionLimits } from '../../../protocol/index.ts';

/** Why a connection is closed, and whether its client may resume. */
export type Closing = Omit<Extract<ServerFrame, { type: 'session.closing' }>, 'type'>;

/** A client that sent too much is asked to wait this long. Set by hand. */
const calmDownMs = 5_000;

export const closings = {
  badMessages: {
    code: errorTable.bad_message.close,
    reason: 'Three invalid frames.',
    resume: false,
  },
  invalidFrames: {
    code: errorTable.bad_message.close,
    reason: `More than ${sessionLimits.invalid_frames} frames in 60 s did not match their schema.`,
    resume: false,
  },
  tooManyFrames: {
    code: errorTable.rate_limited.close,
    reason: 'More frames than a connection may send; see the limits in session.ready.',
    resume: true,
    reconnect_after_ms: calmDownMs,
  },
  tooManyBytes: {
    code: errorTable.overloaded.close,
    reason: 'Too many frames of all clients are waiting; reconnect and resume.',
    resume: true,
    reconnect_after_ms: calmDownMs,
  },
  tooSlow: {
    code: closeCodes.slow_consumer,
    reason: 'Nothing could be sent for 20 s; reconnect and resume.',
    resume: true,
  },
  lifetimeOver: {
    code: closeCodes.lifetime,
    reason: 'Connection lifetime (1 h) reached; reconnect and resume.',
    resume: true,
  },
} as const satisfies Record<string, Closing>;
