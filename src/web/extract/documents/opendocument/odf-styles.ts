/** What the styles within a document of OpenDocument say of its text: titles, what is hidden, and numbers of lists. */
import { readXml } from '../read-xml.ts';

export interface OdfStyles {
  /** The names of the styles of paragraphs that are the title of the document. */
  readonly titles: ReadonlySet<string>;
  /** The names of the styles of sheets and slides that are not shown. */
  readonly hidden: ReadonlySet<string>;
  /** The names of the styles of raised text. */
  readonly raised: ReadonlySet<string>;
}

/** Set by hand: each cell with a look of its own has a style. */
const maxStyles = 20_000;

/** Reads the automatic styles (ODF 1.3-3, 16.2), which are before the text. */
export function readOdfStyles(bytes: Uint8Array | undefined): OdfStyles {
  const titles = new Set(['Title']);
  const hidden = new Set<string>();
  const raised = new Set<string>();
  let style = '';
  let styles = 0;
  let isBody = false;
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'office:body') isBody = true;
      if (isBody || styles > maxStyles) return;
      if (name === 'style:style') {
        styles += 1;
        style = attributes['style:name'] ?? '';
        if (attributes['style:parent-style-name'] === 'Title') titles.add(style);
      }
      const isHidden = attributes['table:display'] === 'false' || attributes['presentation:visibility'] === 'hidden';
      if (isHidden && (name === 'style:table-properties' || name === 'style:drawing-page-properties'))
        hidden.add(style);
      // "super 58%", or how far it is raised (ODF 1.3-3, 20.397).
      if (name === 'style:text-properties' && /^(?:super|[1-9])/.test(attributes['style:text-position'] ?? ''))
        raised.add(style);
    },
    isDone: () => isBody,
  });
  return { titles, hidden, raised };
}
