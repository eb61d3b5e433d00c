/** The child process's side of extraction: PDFs, whose streams unpack into memory that only a process can bound. */
import { serveTasks } from '../../base/process-pool.ts';
import { runExtractTask } from './extract-task.ts';

serveTasks(runExtractTask);
