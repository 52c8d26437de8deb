/**
 * An own fleet's server that watches it and polls all the time, and sends mails, until it is killed. Arguments: the database,
 * the time that its clock shows, Unix ms, and the port of a mail server. A message sets the clock. Writes a line when it runs.
 */
import { APPLICATION_PART, JOBS_PART, openDatabase } from '@/lib/database/database';
import { createAlertMessages } from '@/lib/alerts/server/messages';
import { createCustomerMails } from '@/lib/customer-mails/server/customer-mails';
import { createMailer } from '@/lib/jobs/mailer';
import { SECRET } from '@/testing/alerts/messages';
import { clockOf } from '@/testing/clock';
import { openOwnServer } from './own-server';
import { OWN_CARRIER } from './vehicles';

const MAIL_FROM = 'Linehaul <fleet@carrier.test>';
const [databaseUrl, shownMs, smtpPort] = process.argv.slice(2) as [string, string, string];
let setMs = Number(shownMs);
process.on('message', (ms) => (setMs = Number(ms)));
const nowMs = () => setMs;
const log = { warn: () => undefined, debug: () => undefined };
const database = openDatabase(databaseUrl, APPLICATION_PART, log);
const publicUrl = 'https://fleet.test';
const sendMail = createMailer({ url: `smtp://127.0.0.1:${smtpPort}`, from: MAIL_FROM });
const messages = createAlertMessages({
  open: async () => openDatabase(databaseUrl, JOBS_PART, log),
  ...{ secret: SECRET, publicUrl, mailFrom: MAIL_FROM, isPrivateAllowed: true, sendMail },
  createOthers: (jobs, opened) => [
    createCustomerMails({
      ...{
        jobs,
        database: opened,
        secret: SECRET,
        sendMail,
        publicUrl,
        clock: clockOf(nowMs),
        log,
        held: new Map(),
        pollMs: 50,
      },
      readCarrierName: async () => OWN_CARRIER.companyName,
    }),
  ],
  ...{ keptMs: 86_400_000, clock: clockOf(nowMs), log, pollMs: 50, maintainEveryS: 1 },
});
messages.start();
const server = openOwnServer(databaseUrl, nowMs, {
  watched: { open: async () => database, outbox: messages.outbox },
});
process.stdout.write('running\n');
for (;;) await server.poll();
