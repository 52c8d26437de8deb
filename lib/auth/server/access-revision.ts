import 'server-only';
import { eq } from 'drizzle-orm';
import { repeat, type Clock } from '@/lib/base/clock';
import type { Database } from '@/lib/database/database';
import { revisions } from './tables';

/** With the duration of the query, less than the 5 s within which a change of rights applies without Redis. */
const READ_EVERY_MS = 2000;

const readAccessRevision = async ({ orm }: Pick<Database, 'orm'>): Promise<number> => {
  const [row] = await orm
    .select({ revision: revisions.revision })
    .from(revisions)
    .where(eq(revisions.name, 'access'));
  return row?.revision ?? 0;
};

/** Reads whether access has changed, as messages may be missed, until the returned function is called. */
export const probeAccessRevision = (options: {
  open: () => Promise<Database>;
  onChanged: () => void;
  clock: Pick<Clock, 'setTimer'>;
  log: { warn: (fields: object, message: string) => void };
}): (() => void) => {
  const { open, onChanged, clock, log } = options;
  let known: number | null = null;
  let isFailing = false;
  let isStopped = false;

  const read = async (): Promise<void> => {
    try {
      const revision = await readAccessRevision(await open());
      isFailing = false;
      if (revision !== known && !isStopped) onChanged();
      known = revision;
    } catch (error) {
      if (!isFailing && !isStopped)
        log.warn({ reason: String(error) }, 'Changes of rights by other servers cannot be read.');
      isFailing = true;
    }
  };
  // At once, because the first number counts as a change: what was looked up before it is looked up again.
  const stop = repeat(clock, READ_EVERY_MS, read);
  return () => {
    isStopped = true;
    void stop();
  };
};
