/** Searches with an image: described by a model with vision, reported as unused by one without, refused if invalid. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HTTPValidationError, SearchFrame } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let blind: TestApp;
let model: ModelServer;
let web: WebServer;

/** The first bytes of a PNG of this size: all that is looked at. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080010002001011100', 'hex');
const webp = Buffer.from(`RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x0f\0\0${'\0'.repeat(8)}`, 'latin1');

beforeAll(async () => {
  [model, web] = await Promise.all([startModelServer(), startWebServer()]);
  web.pages.set('/kettle.png', { body: png(20, 10), type: 'image/png' });
  web.pages.set('/page.html', { body: '<p>no image</p>' });
  web.pages.set('/gone.png', { body: '', status: 404 });
  web.pages.set('/big.png', { body: Buffer.concat([png(9, 9), Buffer.alloc(11 * 1024 * 1024)]), type: 'image/png' });
  const settings = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, FETCH_ALLOW_HOSTS: web.host };
  [app, blind] = await Promise.all([startTestApp(settings), startTestApp()]);
});
afterAll(async () => {
  await Promise.all([app[Symbol.asyncDispose](), blind[Symbol.asyncDispose]()]);
  await Promise.all([model.close(), web.close()]);
});
beforeEach(() => {
  model.script = goodModel;
  model.calls.length = 0;
});

const prompt = 'Who designed this lighthouse?';

async function ask(server: TestApp, image: string): Promise<{ frames: SearchFrame[]; warnings: string[] }> {
  const frames = await readEvents(await server.post('/v1/search', { prompt, image }, { accept: 'text/event-stream' }));
  expectLawful(frames);
  expect(frames.at(-1)!.type).toBe('search.completed');
  return { frames, warnings: frames.flatMap((frame) => (frame.type === 'warning' ? [frame.code] : [])) };
}

describe('an image', () => {
  it.each([
    ['PNG', png(20, 10)],
    ['GIF', gif],
    ['JPEG', jpeg],
    ['WebP', webp],
  ])('describes an image of type %s, and plans with the description', async (_, bytes) => {
    const { frames, warnings } = await ask(app, bytes.toString('base64'));
    expect(warnings).toEqual([]);
    const sent = JSON.stringify(model.calls.find(({ kind }) => kind === 'describe')!.body);
    expect(sent).toContain(bytes.toString('base64'));
    expect(model.calls.find(({ kind }) => kind === 'plan')!.prompt).toContain('Kettle 9000');
    const plan = frames.find((frame) => frame.type === 'step.started')!;
    expect(plan).toMatchObject({ input: { picture: expect.stringContaining('Kettle 9000') } });
  });

  it('opens an image given by its address', async () => {
    const { warnings } = await ask(app, `${web.url}/kettle.png`);
    expect(warnings).toEqual([]);
    expect(model.calls.some(({ kind }) => kind === 'describe')).toBe(true);
  });

  it('goes on without an image that cannot be reached', async () => {
    expect((await ask(app, `${web.url}/gone.png`)).warnings).toEqual(['image_not_used']);
  });

  it('goes on without the image if the model has no vision, and tries that model only once', async () => {
    await using server = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url });
    model.script = (call, count) =>
      call.kind === 'describe'
        ? { status: 400, body: { error: { message: 'This model takes text only.' } } }
        : goodModel(call, count);
    expect((await ask(server, png(2, 2).toString('base64'))).warnings).toEqual(['image_not_used']);
    expect((await ask(server, png(2, 2).toString('base64'))).warnings).toEqual(['image_not_used']);
    expect(model.calls.filter(({ kind }) => kind === 'describe').length).toBe(1);
  });

  it('goes on without the image, and opens no address, if there is no model', async () => {
    expect((await ask(blind, png(2, 2).toString('base64'))).warnings).toEqual(['image_not_used']);
    expect((await ask(blind, 'https://example.org/kettle.png')).warnings).toEqual(['image_not_used']);
  });

  it.each([
    ['words', 'no image at all!'],
    ['megabytes of blanks', `${' '.repeat(9_000_000)}!`],
    ['base64 with a word after it', `${png(2, 2).toString('base64')}=oops`],
    ['base64 with a character that is none', png(2, 2).toString('base64').replace('A', '!')],
    ['base64 with a digit more than it can have', `${png(3, 3).toString('base64').replaceAll('=', '')}!`],
    ['bytes of something else', Buffer.from('MZ and so on and so forth and more').toString('base64')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>').toString('base64')],
    ['a broken PNG', png(5, 5).subarray(0, 18).toString('base64')],
    ['41 megapixels', png(41_000, 1_000).toString('base64')],
    ['a file address', 'file:///etc/passwd'],
    ['a cloud address', 'http://169.254.169.254/latest/meta-data/x.png'],
    ['a private address', 'http://10.0.0.1/x.png'],
    ['another port', 'https://example.org:8443/x.png'],
  ])('refuses an invalid image, with its location: %s', async (_, image) => {
    for (const server of [app, blind]) {
      const response = await server.post('/v1/search', { prompt, image });
      expect(response.status).toBe(422);
      expect(((await response.json()) as HTTPValidationError).detail[0]).toMatchObject({ loc: ['body', 'image'] });
    }
  });

  it.each(['/page.html', '/big.png'])('refuses the address of something that is not an image: %s', async (path) => {
    const response = await app.post('/v1/search', { prompt, image: web.url + path });
    expect(response.status).toBe(422);
    expect(((await response.json()) as HTTPValidationError).detail[0]).toMatchObject({ loc: ['body', 'image'] });
  });
});
