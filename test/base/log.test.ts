/** The two formats of the log: what is in a line, and what never is. */
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog, type LogFormat } from '../../src/base/log.ts';

function logged(format: LogFormat, write: (log: ReturnType<typeof createLog>) => void, isTTY = false): string {
  let text = '';
  const out = new Writable({
    write(bytes, _, done) {
      text += bytes;
      done();
    },
  });
  write(
    createLog('info', {
      format,
      out: Object.assign(out, { isTTY, hasColors: () => true }) as unknown as NodeJS.WriteStream,
    }),
  );
  return text;
}

describe('the log', () => {
  it.each(['json', 'pretty'] as const)('holds no credential in the format %s', (format) => {
    const text = logged(format, (log) =>
      log.info(
        {
          request: {
            api_key: 'secret-1',
            ticket: 'secret-2',
            authorization: 'secret-3',
            headers: { 'x-api-key': 'secret-4' },
          },
          session: { cookie: 'secret-5', csrf_token: 'secret-6', link: 'secret-7', plaintext: 'secret-8' },
        },
        'signed in',
      ),
    );
    expect(text).toContain('signed in');
    expect(text).toContain('[removed]');
    expect(text).not.toContain('secret');
  });

  it('writes JSON unless it is at a terminal, and the format that is asked for anywhere', () => {
    const write = (log: ReturnType<typeof createLog>) => log.warn({ part: 'index' }, 'slow');
    expect(JSON.parse(logged('auto', write))).toMatchObject({ level: 40, part: 'index', msg: 'slow' });
    expect(JSON.parse(logged('json', write, true))).toMatchObject({ msg: 'slow' });
    expect(logged('pretty', write)).toMatch(/^\d\d:\d\d:\d\d warn {2}slow part=index\n$/);
    expect(logged('auto', write, true)).toContain('\x1b[33mwarn ');
  });

  it('shows the stack of an error below its line', () => {
    const text = logged('pretty', (log) => log.error({ err: new Error('no room') }, 'failed'));
    expect(text).toMatch(/error failed\nError: no room\n +at /);
  });

  it.each([
    ['no reason', 'no reason'],
    [{ code: 7 }, '{"code":7}'],
    [null, 'null'],
  ])('shows what was thrown also where it is no error: %j', (err, shown) => {
    const text = logged('pretty', (log) => log.error({ err }, 'unhandled rejection'));
    expect(text).toContain(`error unhandled rejection\n${shown}\n`);
  });

  it('sends a terminal no sequence, and no line, of what others wrote', () => {
    const hostile = 'a\x1b[2J\x1b]0;title\x07b\nc\u009b1m';
    const text = logged('pretty', (log) => log.info({ model: hostile }, hostile.replace('\n', '')));
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });
});
