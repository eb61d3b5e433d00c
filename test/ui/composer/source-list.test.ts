/** What is typed into the list of sources: addresses, and the names of documents that the page knows. */
import { describe, expect, it } from 'vitest';
import { parseSourceList } from '../../../src/ui/chat/composer/search-options.ts';

describe('the list of sources', () => {
  const invoice = {
    address: 'file:///uploads/a/invoice%2Cv2.pdf',
    names: ['invoice,v2.pdf', 'Lind & Fenn; May, June'],
  };
  const handbook = { address: 'file:///uploads/a/ferry%20handbook.md', names: ['ferry handbook.md', 'Ferry handbook'] };
  const parse = (text: string) => parseSourceList(text, [invoice, handbook]);

  it('takes the name of a document whole, with the commas and semicolons in it', () => {
    for (const name of [...invoice.names, ' INVOICE,v2.pdf ']) {
      expect(parse(name)).toEqual({ entries: [invoice.address], invalid: '' });
    }
    expect(parse('example.org, ferry handbook.md\ninvoice,v2.pdf')).toEqual({
      entries: ['example.org', handbook.address, invoice.address],
      invalid: '',
    });
  });

  it('separates everything else at commas, semicolons, lines and blanks, and keeps the words of what is invalid', () => {
    expect(parse('a.org, b.org;c.org\n\nd.org e.org,,')).toEqual({
      entries: ['a.org', 'b.org', 'c.org', 'd.org', 'e.org'],
      invalid: '',
    });
    expect(parse('a.org, my documents')).toEqual({ entries: ['a.org'], invalid: 'my documents' });
  });
});
