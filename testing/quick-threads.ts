import { execFileSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import workers, { type WorkerOptions } from 'node:worker_threads';

/**
 * Bundles the code of a thread once in a process: toThreadCode() bundles at each start, half a second of the processor.
 * The first start of each code is as in production.
 */
const { Worker } = workers;
const started = new Set<string>();
const bundles = new Map<string, string>();

/** The bundle that the code of a thread would run; from a process, because esbuild may be loaded here in another mode. */
const bundle = (code: string): string => {
  const print =
    'require("node:vm").runInThisContext = (text) => (process.stdout.write(text), () => undefined);';
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 } as const;
  const bundled = execFileSync(process.execPath, ['--eval', print + code], options);
  return `require('node:vm').runInThisContext(${JSON.stringify(bundled)})(require);`;
};

const toQuickCode = (code: string): string => {
  if (!code.includes("require('esbuild')")) return code;
  if (!started.has(code)) {
    started.add(code);
    return code;
  }
  const quick = bundles.get(code) ?? bundle(code);
  bundles.set(code, quick);
  return quick;
};

class QuickWorker extends Worker {
  constructor(code: string | URL, options?: WorkerOptions) {
    super(typeof code === 'string' ? toQuickCode(code) : code, options);
  }
}

// The module runs for each test file, also where files share a process.
if (Worker.name !== QuickWorker.name) {
  Object.assign(workers, { Worker: QuickWorker });
  syncBuiltinESMExports();
}
