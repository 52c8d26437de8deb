/** Sends the messages of a database until it is killed. Argument: the database. Writes a line once it looks for them. */
import { systemClock } from '@/lib/base/clock';
import { createAlertMessages } from '@/lib/alerts/server/messages';
import { JOBS_PART, openDatabase } from '@/lib/database/database';
import { SECRET } from './messages';

const [databaseUrl] = process.argv.slice(2) as [string];
const log = { warn: () => undefined, debug: () => undefined };

const messages = createAlertMessages({
  open: async () => openDatabase(databaseUrl, JOBS_PART, log),
  secret: SECRET,
  publicUrl: null,
  sendMail: null,
  mailFrom: null,
  isPrivateAllowed: true,
  keptMs: 86_400_000,
  clock: systemClock,
  log,
  pollMs: 50,
  maintainEveryS: 1,
});
messages.start();
setInterval(() => {
  if (messages.readPushKey() !== null) process.stdout.write('.\n');
}, 50);
