/** The question in examples of requests: one that the index answers, as the first screen of the chat proposes. */
import type { Suggestions } from '../../../protocol/index.ts';
import { call } from './session.ts';
import { useLoad } from './use-load.ts';

/** Where the index answers nothing yet: of the documentation that servers begin with. */
const documentationQuestion = 'How do I check a citation?';

/** Undefined until the server has answered. */
export function useFirstQuestion(): string | undefined {
  const { data, error } = useLoad(() => call<Suggestions>('GET', '/v1/suggestions'), []);
  return data === undefined && error === undefined ? undefined : (data?.questions[0] ?? documentationQuestion);
}
