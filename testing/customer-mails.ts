import type { Pool } from 'pg';
import { createCustomerMails } from '@/lib/customer-mails/server/customer-mails';
import type { SendMail } from '@/lib/jobs/mailer';
import { loadInputSchema, type LoadInput } from '@/lib/loads/schema';
import type { LoadMailsInput } from '@/lib/loads/mails';
import { HistoryRepository } from '@/lib/recording/history-repository';
import type { LoadChange, LoadWindow } from '@/lib/rules/load-watch';
import { createMessages, SECRET } from './alerts/messages';
import type { HeldAlerts } from './alerts/alerts';

export const MAILED_USDOT = '9000001';
export const MAILED_UNIT = '1M8GDM9AXKP042788';

/** A load from Dallas to Amarillo with mails to its customer. */
export const toMailedLoad = (
  mails: LoadMailsInput,
  appointment: { fromMs: number; toMs: number },
  reference = '4711',
): LoadInput =>
  loadInputSchema.parse({
    ...{ reference, po: 'PO 9', unit: MAILED_UNIT, mails },
    stops: [
      {
        kind: 'pickup',
        siteId: null,
        place: { name: 'Dallas DC', lat: 32.8, lng: -96.8 },
        appointment: null,
      },
      { kind: 'delivery', siteId: null, place: { name: 'Amarillo', lat: 35.2, lng: -101.8 }, appointment },
    ],
  });

interface MailLimit {
  held?: Map<string, number>;
  warn?: (fields: object, message: string) => void;
  mostDaily?: number;
}

/** The outbox and the sender of a process, whose mails go to `sendMail`. */
export const createMailing = (
  of: HeldAlerts,
  sendMail: SendMail,
  publicUrl: string | null = 'https://fleet.test',
  { held = new Map(), warn = () => undefined, ...limit }: MailLimit = {},
) =>
  createMessages(of, {
    ...{ publicUrl, sendMail, mailFrom: 'Linehaul <fleet@carrier.test>' },
    createOthers: (jobs, database) => [
      createCustomerMails({
        ...{ jobs, database, secret: SECRET, sendMail, publicUrl: publicUrl ?? '', pollMs: 10 },
        clock: { nowMs: () => of.nowMs },
        readCarrierName: async () => 'Peach State Freight',
        ...{ log: { warn }, held, ...limit },
      }),
    ],
  });

/** What a poll finds of a load of `toMailedLoad`. */
export const toFound = (loadId: number, change: Partial<LoadChange>): LoadChange => ({
  ...{ loadId, revision: 0, state: 'toDelivery', next: 1, verdict: 'none', window: null, noWindow: null },
  ...{ endedMs: null, shown: [], events: [], grades: [], ...change },
});

/** A window as a feed stores it. */
export const toWindow = (fromMs: number, toMs: number): LoadWindow =>
  ({
    ...{ fromMs, toMs, by: 'usual', fixAtMs: fromMs, distM: 1000, grades: 20, shownMs: fromMs },
    ...{ unit: MAILED_UNIT, position: 1 },
  }) as unknown as LoadWindow;

/** Writes a poll as the recorder does: its visit of a load's stop, and what it found of the load. */
export const recordPoll = async (
  pool: Pool,
  { outbox }: Pick<ReturnType<typeof createMailing>, 'outbox'>,
  {
    seenMs,
    loads,
    left,
  }: {
    seenMs: number;
    loads: LoadChange[];
    left?: { loadId: number; position: number; arrivedMs: number; leftMs: number; leftByMs: number };
  },
): Promise<void> => {
  const visits = [];
  if (left) {
    const { rows } = await pool.query<{ siteId: number }>(
      'select site_id as "siteId" from linehaul.load_stops where load_id = $1 and position = $2',
      [left.loadId, left.position],
    );
    const { arrivedMs, leftMs, leftByMs } = left;
    visits.push({
      ...{
        siteId: rows[0]!.siteId,
        unit: MAILED_UNIT,
        arrivedAfterMs: arrivedMs - 60_000,
        arrivedMs,
        leftMs,
        leftByMs,
      },
    });
  }
  await new HistoryRepository(pool, outbox).write({
    ...{ usdot: MAILED_USDOT, seenMs, changes: null, coverage: [], statusCounts: null, visits, loads },
  });
};
