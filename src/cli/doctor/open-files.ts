/** The limit of open files, which each connection counts towards. */
import { descriptorLimit, maxConnections } from '../../transport/connection-limit.ts';
import { type Check, ok, warning } from './check.ts';

/** Set by hand: the default of most systems, below which a busy server refuses connections. */
const enough = 4_096;

/** Whether it leaves room for connections. */
export const checkOpenFiles: Check = async () => {
  const limit = descriptorLimit();
  if (limit === Number.POSITIVE_INFINITY) return ok('There is no limit.');
  const said = `${limit} files, which leaves ${maxConnections(limit)} connections.`;
  return limit >= enough ? ok(said) : warning(said, 'Raise it: `ulimit -n 65536`, or LimitNOFILE= in a systemd unit.');
};
