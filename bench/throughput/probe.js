/**
 * Loaded into every thread of a server before its own code (`NODE_OPTIONS=--import`), so that what is measured is the server
 * as users start it. Each thread writes how large its heap is to a file of PROBE_FOLDER; the main one reads them all when its
 * parent process asks, and adds the CPU time and the delay of its loop. If the folder has a file `snapshot`, each thread also
 * writes a snapshot of its heap there, once. Plain JavaScript, because threads load it without a loader.
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics, writeHeapSnapshot } from 'node:v8';
import { isMainThread, threadId, Worker } from 'node:worker_threads';

/** How often a thread says how large it is. */
const everyMs = 200;

const folder = process.env.PROBE_FOLDER;
const file = (name) => join(folder, name);

function report() {
  const { used_heap_size: used, total_physical_size: physical, external_memory: external } = getHeapStatistics();
  // The main thread must never read half of it.
  const whole = file(`${threadId}.json`);
  writeFileSync(`${whole}.new`, JSON.stringify({ used, physical, external }));
  renameSync(`${whole}.new`, whole);
  const snapshot = file(`${threadId}.heapsnapshot`);
  if (existsSync(file('snapshot')) && !existsSync(snapshot)) writeHeapSnapshot(snapshot);
}

if (!isMainThread) {
  const { wait } = Atomics;
  let next = 0;
  // Between two tasks a thread waits here, and its event loop does nothing.
  Atomics.wait = (...args) => {
    if (performance.now() > next) {
      report();
      next = performance.now() + everyMs;
    }
    return wait(...args);
  };
} else if (process.send !== undefined) {
  const names = new Map([[0, 'main']]);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const { postMessage } = Worker.prototype;
  // The first message to a thread of a pool names its file.
  Worker.prototype.postMessage = function (message, ...rest) {
    if (typeof message?.filename === 'string') {
      names.set(this.threadId, basename(message.filename).replace(/(-worker)?\.\w+$/, ''));
    }
    return postMessage.call(this, message, ...rest);
  };
  process.on('message', () => {
    report();
    const ids = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const threads = ids.map((name) => {
      const heap = JSON.parse(readFileSync(file(name), 'utf8'));
      return { name: names.get(Number.parseInt(name, 10)), ...heap };
    });
    const { user, system } = process.cpuUsage();
    process.send({ cpu: (user + system) / 1000, delay: delay.percentile(99) / 1e6, threads });
    delay.reset();
  });
  // It must not keep the server from ending.
  process.channel.unref();
}
