import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SignIn } from '@/server/sign-in';
import type { Viewer } from '@/lib/base/viewer';
import type { Job } from '@/lib/jobs/jobs';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { PASSWORD, createTestSignIn, toClient, usersOf } from '@/testing/auth/sign-in';
import { startMailServer } from '@/testing/mail-server';
import { createMailer } from '@/lib/jobs/mailer';
import { HOUR_MS } from '@/lib/base/time';

const DEFERRED = { status: 451, text: '4.7.1 Greylisted, try again' };
const REFUSED = { status: 550, text: '5.1.1 User unknown' };

let database: TestDatabase;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let app: SignIn;
let clock: { nowMs: number };
let ann: Viewer;
/** The jobs that wait, with their delay in ms. */
let waiting: Map<string, Job & { delayMs?: number }>;
let count = 0;

const openAccounts = (port = mail.port) =>
  createTestSignIn(database.databaseUrl, {
    publicUrl: 'https://fleet.test',
    sendMail: createMailer({ url: `smtp://127.0.0.1:${port}`, from: 'fleet@carrier.test' }),
    jobs: () => ({
      insert: async (_tx, _name, jobs) => {
        for (const job of jobs) if (!waiting.has(job.id)) waiting.set(job.id, job);
      },
      finish: async (_tx, _name, ...ids) => {
        for (const id of ids) waiting.delete(id);
      },
      again: async (_tx, _name, job, delayMs) => void waiting.set(job.id, { ...job, delayMs }),
    }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  waiting = new Map();
  mail = await startMailServer();
  ({ app, clock } = openAccounts());
  const { id, name, email } = await usersOf(app).create({
    ...{ name: 'Ann', email: `ann-${++count}@carrier.test`, role: 'manager' },
    ...{ usdots: null, tags: null, password: PASSWORD },
  });
  ann = { kind: 'user', id, name, email, role: 'manager', usdots: null, tags: null };
});
afterEach(async () => {
  await app.close();
  await mail.close();
});
afterAll(() => database.drop());

const by = () => ({ viewer: ann, client: { address: '203.0.113.9' } });
const newEmail = (): string => `new-${++count}@carrier.test`;
const invite = (email = newEmail(), days: 1 | 7 = 7) =>
  app.users.invite({ email, role: 'dispatcher', usdots: null, tags: null, days }, by());
const stateOf = async (email: string) => {
  const { users, invitations } = await app.users.list(ann);
  const found = invitations.find((each) => each.email === email);
  const { mail: state, mailProblem } = found ?? users.find((each) => each.email === email)!.resetMail!;
  return { mail: state, mailProblem };
};
const readRows = async () =>
  (await database.query('select to_jsonb(m)::text as row from linehaul.link_mails m')).map(({ row }) =>
    String(row),
  );
/** Runs the jobs that wait, as a process does that takes them. */
const runJobs = async (): Promise<void> => {
  const [kind] = app.linkMails!.kinds;
  for (const job of [...waiting.values()]) await kind!.run(job, new AbortController().signal);
};
const receivedBy = (email: string) => mail.received.filter(({ to }) => to.includes(email));
const tokenOf = (link: string): string => new URL(link).hash.slice(1);

it.each(['recipient', 'message'] as const)(
  'tries again to mail an invitation that the mail server defers at the %s, until it takes it',
  async (at) => {
    mail.refuse({ at, ...DEFERRED });
    const { email, link, mail: state, mailProblem } = await invite();
    expect(state).toBe('retrying');
    expect(mailProblem).toMatch(/^451 4\.7\.1 Greylisted/);
    expect(await stateOf(email)).toEqual({ mail: 'retrying', mailProblem });
    const delays: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      delays.push([...waiting.values()][0]!.delayMs!);
      await runJobs();
    }
    expect(delays).toEqual([10_000, 20_000, 40_000]);
    mail.refuse(null);
    await runJobs();
    expect(receivedBy(email)).toHaveLength(1);
    expect(receivedBy(email)[0]!.text.replaceAll('=\r\n', '')).toContain(link);
    expect(await stateOf(email)).toEqual({ mail: 'sent', mailProblem: null });
    expect(waiting.size).toBe(0);
  },
);

it('tries again after a failure of the connection, also for a link that its user has asked for', async () => {
  const email = ann.email!;
  await mail.close();
  const made = await app.users.makeReset(ann.id!, by());
  expect(made).toMatchObject({ mail: 'retrying', mailProblem: 'The mail server cannot be reached.' });
  await app.linkTokens.requestReset(email, toClient());
  await expect.poll(() => [...waiting.values()].map(({ delayMs }) => delayMs)).toEqual([10_000, 10_000]);
  expect(await stateOf(email)).toMatchObject({ mail: 'retrying' });
  await app.close();
  // Another process, with a mail server that answers.
  mail = await startMailServer();
  ({ app } = openAccounts());
  await runJobs();
  expect(receivedBy(email)).toHaveLength(2);
  expect(await stateOf(email)).toEqual({ mail: 'sent', mailProblem: null });
});

it('shows a refusal for good to the manager who invites, and does not try again', async () => {
  mail.refuse({ at: 'recipient', ...REFUSED });
  const { email, mail: state, mailProblem } = await invite();
  expect(state).toBe('failed');
  expect(mailProblem).toMatch(/^550 5\.1\.1 User unknown/);
  expect(await stateOf(email)).toEqual({ mail: 'failed', mailProblem });
  expect(waiting.size).toBe(0);
  mail.refuse(null);
  expect((await invite(email)).mail).toBe('sent');
});

it('gives up after a day, and when the link has expired', async () => {
  mail.refuse({ at: 'message', ...DEFERRED });
  const [long, short] = [await invite(), await invite(newEmail(), 1)];
  clock.nowMs += 24 * HOUR_MS - 1;
  await runJobs();
  for (const { email } of [long, short]) expect(await stateOf(email)).toMatchObject({ mail: 'retrying' });
  clock.nowMs += 1;
  await runJobs();
  expect(await stateOf(long.email)).toMatchObject({
    mail: 'failed',
    mailProblem: expect.stringMatching(/^451/),
  });
  expect(await stateOf(short.email)).toEqual({ mail: 'failed', mailProblem: 'The link is no longer valid.' });
  expect(waiting.size).toBe(0);
});

it('sends no mail with a link that was withdrawn, replaced or used, or whose maker has lost the right to it', async () => {
  mail.refuse({ at: 'message', ...DEFERRED });
  const withdrawn = await invite();
  const { invitations } = await app.users.list(ann);
  await app.users.withdraw(invitations.find(({ email }) => email === withdrawn.email)!.id, by());
  const replaced = await invite();
  const next = await invite(replaced.email);
  const used = await invite();
  await app.linkTokens.join({ token: tokenOf(used.link), name: 'Bob', password: PASSWORD }, toClient());
  expect(waiting.size).toBe(4);
  mail.refuse(null);
  await runJobs();
  expect(mail.received.map(({ to }) => to)).toEqual([[next.email]]);
  expect(mail.received[0]!.text.replaceAll('=\r\n', '')).toContain(next.link);
  expect(waiting.size).toBe(0);

  mail.refuse({ at: 'message', ...DEFERRED });
  await invite();
  await database.query(`update linehaul.users set usdots = '{9}' where id = $1`, [ann.id]);
  mail.refuse(null);
  await runJobs();
  expect(mail.received).toHaveLength(1);
});

it('keeps a link sealed while its mail waits, and not at all after it', async () => {
  mail.refuse({ at: 'message', ...DEFERRED });
  const { link } = await invite();
  const waitingRows = await readRows();
  expect(waitingRows.join()).not.toContain(tokenOf(link));
  expect(waitingRows.filter((row) => !row.includes('"sealed": null'))).toHaveLength(1);
  // A job has ids, never secrets.
  expect(JSON.stringify([...waiting.values()])).not.toContain(tokenOf(link));
  mail.refuse(null);
  await runJobs();
  const rows = await readRows();
  expect(rows.filter((row) => !row.includes('"sealed": null'))).toEqual([]);
});

it('finds mails that wait without a job, as after a process has ended', async () => {
  mail.refuse({ at: 'message', ...DEFERRED });
  const { email } = await invite();
  waiting.clear();
  await app.linkMails!.resume!((await app.database.open()).orm);
  mail.refuse(null);
  await runJobs();
  expect(receivedBy(email)).toHaveLength(1);
});
