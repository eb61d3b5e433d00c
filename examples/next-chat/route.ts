/** Passes the calls of the page on to Citewire with the key, which stays on the server. */

const { CITEWIRE_URL = 'http://127.0.0.1:8080', CITEWIRE_KEY = '' } = process.env;

async function handle(request: Request, { params }: { params: Promise<{ path?: string[] }> }): Promise<Response> {
  const { path = [] } = await params;
  const url = `${CITEWIRE_URL}/v1/ai/chat${path.map((part) => `/${encodeURIComponent(part)}`).join('')}`;
  const headers = { authorization: `Bearer ${CITEWIRE_KEY}`, 'content-type': 'application/json' };
  const body = request.method === 'POST' ? await request.text() : null;
  const answer = await fetch(url, { method: request.method, headers, body });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

export { handle as GET, handle as POST };
