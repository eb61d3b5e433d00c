/**
 * The first search from a program, shown while there is none: a command with this server's address and a placeholder for the key.
 */
export function firstRequest(): string {
  const headers = "-H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json'";
  return `curl -s ${location.origin}/v1/search ${headers} -d '{"prompt": "How do I check a citation?"}'`;
}
