/** PDFs that unpack to far more than they are: they fail, and the memory they took is not this process's. */
import { afterAll, describe, expect, it } from 'vitest';
import { createExtractPool } from '../../../src/web/extract/extract-pool.ts';
import { makePdf, packPdf } from '../../support/documents/make-pdf.ts';

const mebibyte = 1024 * 1024;
const source = { contentType: 'application/pdf', url: 'https://pages.test/bomb.pdf' };
const pool = createExtractPool({ processes: 1, deadlineMs: 20_000 });
afterAll(() => pool.close());

const soon = () => AbortSignal.timeout(90_000);

describe('a PDF bomb', () => {
  it('extracts a PDF bomb of 192 MiB in 200 KiB without growing this process', async () => {
    const bytes = await packPdf(Buffer.alloc(192 * mebibyte, ' '));
    expect(bytes.length).toBeLessThan(mebibyte);
    const before = process.memoryUsage.rss();
    const outcome = await pool.extract(bytes, source, [], soon()).then(({ extraction }) => extraction.text, String);
    expect(outcome).toMatch(/^(?:$|PageError: The page )/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * mebibyte);
  });

  it('extracts a PDF bomb in two layers without growing this process', async () => {
    const bytes = await packPdf(Buffer.alloc(192 * mebibyte, ' '), 2);
    expect(bytes.length).toBeLessThan(mebibyte / 64);
    const before = process.memoryUsage.rss();
    await pool.extract(bytes, source, [], soon()).catch(() => {});
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * mebibyte);
  });

  it('extracts the next PDF after a bomb', async () => {
    const { extraction } = await pool.extract(
      makePdf({ title: 'Next', pages: [['Still readable.']] }),
      source,
      [],
      soon(),
    );
    expect(extraction).toMatchObject({ text: 'Still readable.', extractor: 'pdf' });
  });
});
