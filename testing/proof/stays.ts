import { afterAll, beforeAll } from 'vitest';
import type { Pool } from 'pg';
import { MINUTE_MS } from '@/lib/base/time';
import type { SendMail } from '@/lib/jobs/mailer';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { issueStatement, type DetentionContext } from '@/lib/proof/server/detention/statements';
import { changeTerms } from '@/lib/proof/server/detention/terms';
import type { Terms } from '@/lib/proof/terms';
import { HistoryRepository } from '@/lib/recording/history-repository';
import type { SiteVisit } from '@/lib/rules/site';
import type { SignIn } from '@/server/sign-in';
import { toClient } from '@/testing/auth/sign-in';
import { changesOf, openPool } from '@/testing/history/recording';
import { ANN, PROOF_SECRET, PROOF_USDOT, setUpProof } from './proof';

export const STAY_UNIT = '1M8GDM9AXKP042788';
/** 8 AM in Chicago. */
export const STAY_MS = Date.UTC(2026, 10, 24, 14);
export const STAY_TERMS: Terms = {
  ...{ freeMin: 120, countedFrom: 'appointment', rateCents: 7500, stepMin: 15, capCents: null },
};

const DEGREES_PER_M = 1 / 111_195.08;
const DELAY_MS = 5000;

/** A fix so many minutes after STAY_MS, and so many meters north of the site. */
export interface StayFix {
  min: number;
  northM: number;
  seenMin?: number;
}

/** A truck that came 30 minutes after STAY_MS and stayed for four hours, with a fix every five minutes. */
export const USUAL_FIXES: readonly StayFix[] = Array.from({ length: 73 }, (_, i) => ({
  min: i * 5,
  northM: i < 6 ? 20_000 - i * 3000 : i <= 54 ? 50 : (i - 54) * 3000,
}));

/** A request of a manager about statements, on a server that may send mails. */
export const toStayContext = (
  app: SignIn,
  {
    reader,
    nowMs,
    sendMail = null,
  }: { reader: HistoryReader; nowMs: () => number; sendMail?: SendMail | null },
): DetentionContext => ({
  ...app,
  ...{ viewer: ANN, client: toClient(), clock: { nowMs }, history: { reader } },
  proof: {
    ...{ secret: PROOF_SECRET, sendMail },
    readVinCarrier: async (usdot, vin) => ({ vin, mcNumber: null, usdot, requestedAtMs: 0 }),
    readIssuer: async (usdot) => ({
      ...{ carrier: 'Prairie Star Freight', usdot, mc: null, installation: 'https://fleet.example' },
    }),
  },
});

/** A database in which a truck was at a site, and documents are issued about it. */
export const setUpStays = () => {
  const proof = setUpProof();
  const held = {
    proof,
    pool: null as unknown as Pool,
    reader: null as unknown as HistoryReader,
    siteId: 0,
    context: (): DetentionContext =>
      toStayContext(proof.app, { reader: held.reader, nowMs: () => proof.nowMs }),
    /** Records fixes of the truck, each in a poll of its own. */
    drive: async (fixes: readonly StayFix[], unit = STAY_UNIT): Promise<void> => {
      const history = new HistoryRepository(held.pool);
      for (const { min, northM, seenMin = min } of fixes) {
        const seenMs = STAY_MS + seenMin * MINUTE_MS + DELAY_MS;
        const fix = { unit, fixMs: STAY_MS + min * MINUTE_MS, lat: 35 + northM * DEGREES_PER_M, lng: -101 };
        const changes = changesOf(seenMs, [fix]);
        await history.write({
          ...{ usdot: PROOF_USDOT, seenMs, changes, coverage: [], statusCounts: null, visits: [], loads: [] },
        });
      }
    },
    /** Stores a visit, as polls or late fixes have found it; minutes after STAY_MS. */
    visit: async (
      [arrivedAfter, arrived, left, leftBy]: [number | null, number, number | null, number | null],
      changes: Partial<SiteVisit> = {},
    ): Promise<void> => {
      const ms = (min: number | null) => (min === null ? null : STAY_MS + min * MINUTE_MS);
      await proof.database.query(
        `insert into linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (usdot, site_id, unit, arrived_ms) do update set left_ms = excluded.left_ms, left_by_ms = excluded.left_by_ms`,
        [
          ...[PROOF_USDOT, changes.siteId ?? held.siteId, changes.unit ?? STAY_UNIT],
          ...[ms(arrivedAfter), ms(arrived), ms(left), ms(leftBy)],
        ],
      );
    },
    agree: (terms: Partial<Terms> = {}): Promise<void> =>
      changeTerms(held.context(), PROOF_USDOT, {
        ...{
          of: 'site',
          customer: null,
          siteId: held.siteId,
          loadId: null,
          terms: { ...STAY_TERMS, ...terms },
        },
      }),
    issue: (amountCents: number, arrivedMin = 30, unit = STAY_UNIT) =>
      issueStatement(held.context(), PROOF_USDOT, {
        stay: { unit, siteId: held.siteId, arrivedMs: STAY_MS + arrivedMin * MINUTE_MS },
        ...{ isShownByNumber: true, amountCents },
      }),
  };
  beforeAll(async () => {
    const { databaseUrl } = proof.database;
    await proof.app.database.open();
    proof.nowMs = STAY_MS + 24 * 60 * MINUTE_MS;
    held.pool = openPool(databaseUrl);
    held.reader = new HistoryReader({ open: async () => openPool(databaseUrl) });
    const [site] = await proof.database.query(
      `insert into linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
       values ($1, 'Acme Rolla', 'customer', '#2f7de1', 75, $2, 'a', now(), now()) returning id`,
      [PROOF_USDOT, JSON.stringify({ type: 'circle', lat: 35, lng: -101, radiusM: 200 })],
    );
    held.siteId = Number(site!.id);
  });
  afterAll(async () => {
    await held.reader.close();
    await held.pool.end();
  });
  return held;
};
