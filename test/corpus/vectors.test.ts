/** The laws of vectors over the index file. */
import { join } from 'node:path';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { vectorLaws } from '../contracts/vectors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let files = 0;
vectorLaws(
  'SQLite',
  async () => {
    files += 1;
    return join(temporaryFolder(), `${files}`, 'index.db');
  },
  (file, parts) => openCorpus({ file, ...parts }),
);
