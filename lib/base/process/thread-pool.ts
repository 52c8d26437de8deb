import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker, type TransferListItem } from 'node:worker_threads';
import { createLazy } from '../lazy';
import { bundleThread, withMemory } from './thread';

const IDLE_MS = 60_000;

const startThread = (text: string): Worker => {
  const worker = new Worker(text, { eval: true });
  // A process ends without its idle threads.
  worker.unref();
  return worker;
};

interface ThreadPoolOptions {
  /** TypeScript that answers each message of its `parentPort` with one, relative to the checkout. */
  source: string;
  /** The most that run at once; further jobs wait. */
  threads: number;
  /** Packages that are loaded from node_modules, because they read files of their own. */
  external?: string[];
}

/** Threads that start when they are needed, and end when they are not for a minute. */
export class ThreadPool {
  readonly #threads: number;
  /** The code of the threads, bundled once, and a text that changes with it. */
  readonly #code;
  readonly #idle: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  #count = 0;
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor({ source, threads, external = [] }: ThreadPoolOptions) {
    this.#threads = threads;
    this.#code = createLazy(async () => {
      const text = await bundleThread(source, external);
      return { text, version: createHash('sha256').update(text).digest('base64url') };
    });
  }

  /** A text that changes with the code of the threads. */
  async readVersion(): Promise<string> {
    return (await this.#code.open()).version;
  }

  /** The answer of a thread to a job. @throws if the thread fails */
  runJob(job: unknown, transferred: readonly TransferListItem[] = []): Promise<unknown> {
    return withMemory(() => this.#run(job, transferred));
  }

  close(): void {
    clearTimeout(this.#ending);
    this.#count -= this.#idle.length;
    for (const worker of this.#idle.splice(0)) void worker.terminate();
  }

  async #run(job: unknown, transferred: readonly TransferListItem[]): Promise<unknown> {
    const { text } = await this.#code.open();
    const worker = await this.#take(text);
    try {
      worker.ref();
      worker.postMessage(job, transferred);
      const [answer] = (await once(worker, 'message')) as [unknown];
      this.#giveBack(worker);
      return answer;
    } catch (error) {
      await worker.terminate();
      const next = this.#waiting.shift();
      if (next === undefined) this.#count--;
      else next(startThread(text));
      throw error;
    }
  }

  async #take(text: string): Promise<Worker> {
    clearTimeout(this.#ending);
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#count === this.#threads) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#count++;
    return startThread(text);
  }

  #giveBack(worker: Worker): void {
    worker.unref();
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(worker);
      return;
    }
    this.#idle.push(worker);
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.close(), IDLE_MS).unref();
  }
}
