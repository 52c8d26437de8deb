import type { FleetCopy, LiveReading } from '../live-reader';

interface CopyKeeperOptions {
  build: string;
  /** Prepares a start without a network, once; after a failure again with the next copy. */
  start: () => Promise<void>;
  write: (copy: FleetCopy) => Promise<void>;
  /** Monotonic time in ms. */
  now: () => number;
  onError: (error: unknown) => void;
}

const WRITE_EVERY_MS = 60_000;
/** A large fleet is written less often, so that a day of it is never more than about a gigabyte on the disk. */
const EVERY_MS_PER_UNIT = 6;
/** Switching between tabs is no reason to write each time. */
const LEAVE_AFTER_MS = 10_000;

export class CopyKeeper {
  readonly #options: CopyKeeperOptions;
  #newest: FleetCopy | null = null;
  #written: FleetCopy['fleet'] | null = null;
  #writtenAtMs = -Infinity;
  #isWriting = false;
  #isStarted = false;

  constructor(options: CopyKeeperOptions) {
    this.#options = options;
  }

  /** Takes a reading; it is written only if it is live, not of the past, and the server is of the page's build. */
  offer({ fleet, skewMs, receivedAtMs, failure, serverBuild, past }: LiveReading): void {
    const { build } = this.#options;
    const isLive = past === null && failure === null && receivedAtMs !== null && serverBuild === build;
    if (!isLive || fleet === null || fleet.feed.fetchedAtMs === null) return;
    this.#newest = { fleet, skewMs, receivedAtMs };
    this.#writeAfter(Math.max(WRITE_EVERY_MS, fleet.rows * EVERY_MS_PER_UNIT));
  }

  /** The page is hidden, and may be closed. */
  leave(): void {
    this.#writeAfter(LEAVE_AFTER_MS);
  }

  #writeAfter(leastMs: number): void {
    const { now, onError } = this.#options;
    const copy = this.#newest;
    if (copy === null || copy.fleet === this.#written) return;
    if (this.#isWriting || now() - this.#writtenAtMs < leastMs) return;
    this.#isWriting = true;
    this.#writtenAtMs = now();
    // After a failure the copy before stays, with its date, until the next one is due.
    this.#write(copy)
      .catch(onError)
      .finally(() => (this.#isWriting = false));
  }

  async #write(copy: FleetCopy): Promise<void> {
    const { start, write } = this.#options;
    await write(copy);
    this.#written = copy.fleet;
    if (!this.#isStarted) await start();
    this.#isStarted = true;
  }
}
