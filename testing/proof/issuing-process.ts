/**
 * A server that issues documents, revises them, mails them, makes new keys and checks trucks at pickups all the time, until
 * it is killed. Its argument is a Given as JSON. Writes a line for what it begins and for what it has answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { change } from '@/lib/audit/audit';
import { systemClock } from '@/lib/base/clock';
import { isAppError } from '@/lib/base/http/problems';
import { HISTORY_PART, openDatabase } from '@/lib/database/database';
import { createMailer } from '@/lib/jobs/mailer';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { checkTruck, findPickup } from '@/lib/pickup-check/server/checks';
import { createCorrections } from '@/lib/proof/server/detention/corrections';
import { issueStatement, previewStatement } from '@/lib/proof/server/detention/statements';
import { issueDocument } from '@/lib/proof/server/documents';
import { mailDocument } from '@/lib/proof/server/mail-document';
import { rotateSigningKey } from '@/lib/proof/server/manage-keys';
import { createTestSignIn } from '@/testing/auth/sign-in';
import { PROOF_SECRET, PROOF_USDOT, documentOf } from './proof';
import { toStayContext } from './stays';

export interface Given {
  /** No two processes have the same. */
  name: string;
  databaseUrl: string;
  smtpPort: number;
  /** What the clocks of all processes show at a moment, Unix ms; they run so many times as fast as the machine's. */
  clock: { shownMs: number; atMs: number; speed: number };
  /** Stays about which statements are issued again and again. */
  stays: { unit: string; siteId: number; arrivedMs: number }[];
  /** Pickup codes. */
  codes: string[];
}

/** A line of the process: what it does, and of what. */
export interface Line {
  event: 'issued' | 'rotated' | 'mailing' | 'mailed' | 'checking' | 'checked';
  /** A number and a revision, the address of a mail, or what was typed. */
  of: string;
}

const given = JSON.parse(process.argv[2]!) as Given;
const { shownMs, atMs, speed } = given.clock;
const nowMs = (): number => shownMs + (Date.now() - atMs) * speed;
const silent = { warn: () => undefined, debug: () => undefined };
const clock = { ...systemClock, nowMs };
const { app } = createTestSignIn(given.databaseUrl, { clock });
const { orm, pool } = openDatabase(given.databaseUrl, HISTORY_PART, silent);
const reader = new HistoryReader({ open: async () => pool });
const sendMail = createMailer({ url: `smtp://127.0.0.1:${given.smtpPort}`, from: 'fleet@carrier.test' });
const env = { publicUrl: 'https://fleet.example' };
const context = { ...toStayContext(app, { reader, nowMs, sendMail }), env };

let count = 0;
const next = (): string => `${given.name}${(count += 1)}`;
const tell = (event: Line['event'], of: string): void =>
  void process.stdout.write(`${JSON.stringify({ event, of } satisfies Line)}\n`);
const pickOne = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;

/** Does something again and again; what is refused is as if it had not been asked for. */
const forever = async (pauseMs: number, work: () => Promise<unknown>): Promise<never> => {
  for (;;) {
    await work().catch((error: unknown) => {
      if (!isAppError(error)) throw error;
    });
    await sleep(pauseMs * Math.random());
  }
};

const issued: string[] = [];
const certificates: string[] = [];
const noteIssued = ({ number, revision }: { number: string; revision: number }): void => {
  issued.push(number);
  tell('issued', `${number} ${revision}`);
};

const certify = async (): Promise<void> => {
  const revises = certificates.length > 0 && Math.random() < 0.5 ? pickOne(certificates) : null;
  const certificate = await change(context, 'proof.issue', (tx, record) =>
    issueDocument(tx, { clock, proof: { secret: PROOF_SECRET }, record }, documentOf({ revises })),
  );
  certificates.push(certificate.number);
  noteIssued(certificate);
};

const state = async (): Promise<void> => {
  const stay = pickOne(given.stays);
  const { amountCents } = await previewStatement(context, PROOF_USDOT, stay);
  const input = { stay, isShownByNumber: false, amountCents: amountCents! };
  noteIssued(await issueStatement(context, PROOF_USDOT, input));
};

const mail = async (): Promise<void> => {
  const number = issued.at(-1);
  if (number === undefined) return;
  const address = `${next()}@customer.test`;
  tell('mailing', address);
  await mailDocument(context, PROOF_USDOT, number, { address });
  tell('mailed', address);
};

const rotate = async (): Promise<void> => {
  await rotateSigningKey(context);
  tell('rotated', '');
};

const check = async (): Promise<void> => {
  const typed = next().toUpperCase();
  const pickup = (await findPickup(context, pickOne(given.codes)))!;
  tell('checking', typed);
  const answer = await checkTruck(context, pickup, typed);
  if (typeof answer === 'object' && 'check' in answer) tell('checked', typed);
};

const corrections = createCorrections({
  ...{ database: () => ({ orm, pool }), reader: () => reader, proof: () => context },
  ...{ clock, log: silent, pollMs: 50 },
}).kinds[0]!;
const correct = () => corrections.run({ id: '', data: {} }, new AbortController().signal);

process.stdout.write('\n');
await Promise.all([
  forever(20, certify),
  forever(100, state),
  forever(200, mail),
  forever(500, rotate),
  forever(50, check),
  forever(20, correct),
]);
