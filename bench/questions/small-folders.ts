/** Small corpora in folders of several, as people keep their documents. */
import type { SmallCorpus } from './small.ts';

const foldersOf = '--folders-of=';

/** The corpora of each folder as one; none if each is asked alone. Neighbours by name, which may be of one kind, are kept apart. */
export function inFolders(
  parts: readonly { readonly corpora: readonly SmallCorpus[] }[],
  words: readonly string[],
): SmallCorpus[] {
  const corpora = parts.flatMap((part) => part.corpora);
  const size = words.find((word) => word.startsWith(foldersOf))?.slice(foldersOf.length);
  const count = size === undefined ? Number(words.includes('--folder')) : Math.ceil(corpora.length / Number(size));
  return Array.from({ length: count }, (_, n) => inOneFolder(corpora.filter((_corpus, at) => at % count === n)));
}

function inOneFolder(corpora: readonly SmallCorpus[]): SmallCorpus {
  const documents = corpora.flatMap((corpus) =>
    Object.entries(corpus.documents).map(([file, text]) => [`${corpus.name}-${file}`, text] as const),
  );
  return {
    name: 'folder',
    documents: Object.fromEntries(documents),
    questions: corpora.flatMap(({ questions }) => questions),
  };
}
