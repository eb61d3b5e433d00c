/** The worker of the SQLite store, and a call that ends it at any moment, as running out of memory does. */
import answer, { type SqliteCall, type SqliteReply } from '../../../src/store/sqlite/sqlite-worker.ts';

export type EndableCall = SqliteCall | { readonly kind: 'end' };

export default (call: EndableCall): SqliteReply => (call.kind === 'end' ? process.exit(1) : answer(call));
