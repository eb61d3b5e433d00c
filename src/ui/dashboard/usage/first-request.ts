/**
 * The first search from a program, shown while there is none: a command with this server's address and a placeholder for the key.
 */
import { shellQuoted } from '../../../../protocol/sample-code.ts';

export function firstRequest(prompt: string): string {
  const headers = "-H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json'";
  return `curl -s ${location.origin}/v1/search ${headers} -d ${shellQuoted(JSON.stringify({ prompt }))}`;
}
