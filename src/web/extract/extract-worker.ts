/** The child process of extraction. */
import { serveTasks } from '../../base/processes/serve-tasks.ts';
import { runExtractTask } from './extract-task.ts';

serveTasks(runExtractTask);
