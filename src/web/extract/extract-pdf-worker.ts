/** The child process of extraction: PDFs, because the memory that their streams expand to can only be limited for a process. */
import { serveTasks } from '../../base/process-pool.ts';
import { runExtractTask } from './extract-task.ts';

serveTasks(runExtractTask);
