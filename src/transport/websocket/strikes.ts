/** Counts a connection's invalid frames: a few that cannot be parsed, or many that do not fit the contract, close it. */
import { sessionLimits } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { type Closing, closings } from './closings.ts';
import { createTokenBucket } from './token-bucket.ts';

/** Returns a function that counts a frame's error; it returns why the connection is to be closed now, if it is. */
export function createStrikes(): (error: Pick<AppError, 'code'>) => Closing | undefined {
  const { bad_messages, invalid_frames } = sessionLimits;
  const invalid = createTokenBucket({ capacity: invalid_frames, perSecond: invalid_frames / 60 });
  let bad = 0;
  return ({ code }) => {
    switch (code) {
      case 'bad_message':
        bad += 1;
        return bad >= bad_messages ? closings.badMessages : undefined;
      case 'validation_error':
      case 'unknown_type':
      case 'payload_too_large':
        return invalid.take(1) ? undefined : closings.invalidFrames;
      default:
        return undefined;
    }
  };
}
