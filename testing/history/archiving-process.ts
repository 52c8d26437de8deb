/**
 * Records one poll after another, five minutes of the recording apart, and archives all the while, until it is killed.
 * Arguments: database, folder, the first poll, and the times of fix 0. Writes the number of each poll once it is stored.
 */
import { openArchive } from '@/lib/archive/archive';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { ARCHIVE_PART, HISTORY_PART, openDatabase } from '@/lib/database/database';
import { clockOf } from '@/testing/clock';
import { POLL_MS, changesOf, fixesOfPoll } from './recording';

const [databaseUrl, folder, first, startMs] = process.argv.slice(2) as [string, string, string, string];
let poll = Number(first);
const log = { warn: () => undefined, debug: () => undefined };
const nowMs = (): number => Number(startMs) + poll * POLL_MS;
const open = (part: typeof HISTORY_PART) => openDatabase(databaseUrl, part, log).pool;

const { archiver } = openArchive({
  open: async () => open(ARCHIVE_PART),
  folder,
  keptDays: 400,
  memoryMb: 256,
  clock: clockOf(nowMs),
  log,
});
const archive = async (): Promise<never> => {
  for (;;) await archiver.run();
};
void archive();

const history = new HistoryRepository(open(HISTORY_PART));
for (; ; poll++) {
  const seenMs = nowMs();
  const changes = changesOf(seenMs, fixesOfPoll(poll, Number(startMs)));
  for (let isStored = false; !isStored;) {
    try {
      await history.write({ usdot: '1', seenMs, changes, coverage: [], statusCounts: null });
      isStored = true;
    } catch {
      // The database is away, or a partition was dropped.
    }
  }
  process.stdout.write(`${poll}\n`);
}
