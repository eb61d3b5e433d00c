/** A version of the stub `one` of the account `a`, for stores that are filled without a server; the content is missing. */
export const publishedVersion = {
  api_stub: 'one',
  api_id: 'd',
  account_id: 'a',
  content_hash: 'h',
  words: '',
  published_at: '',
  summary: '{}',
  interface: '{}',
  example: null,
} as const;
