/**
 * The child process of extraction: for PDFs, because the memory that their streams expand to can only be limited for a process,
 * and for large pages, because a thread that had one keeps much of its memory.
 */
import { serveTasks } from '../../base/process-pool.ts';
import { runExtractTask } from './extract-task.ts';

serveTasks(runExtractTask);
