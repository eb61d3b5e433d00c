/** What helps where an address is refused that is meant: a port or a host that is not public. */
export const allowedHostsHint =
  'The setting FETCH_ALLOW_HOSTS names hosts, or host:port, that are allowed all the same.';
