import 'server-only';
import lookUpZone from '@photostructure/tz-lookup';
import type { Pool } from 'pg';
import { requireSeenUnit } from '@/lib/access/unit-limit';
import { change, type ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import { DAY_MS, type TimeRange } from '@/lib/base/time';
import { UNNAMED } from '@/lib/gazetteer/place';
import type { TrailFix } from '@/lib/past/schema';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { loadPlaceTable } from '@/lib/past/server/places';
import { queryHistory } from '@/lib/past/server/queries';
import type { QueryLimit } from '@/lib/past/server/query-limit';
import { toReadRange } from '@/lib/past/server/trail';
import { unitName } from '@/lib/view/unit-name';
import type { CertificateInput } from '../../certificate';
import type { CertifiedVisit, PositionCertificate } from '../../kinds/position-certificate';
import { documentTimeText } from '../../text';
import { toCertificate, toLookedAt } from '../../to-certificate';
import type { IssuedDocument } from '../../schema';
import { issueDocument, type ProofServer } from '../documents';

/** A request about the position certificates of a fleet. */
export type CertificateContext = ActionContext & {
  history: { reader: HistoryReader; limit: QueryLimit } | null;
  proof: ProofServer;
};

/** The clock of a document about a truck without a position. */
const USUAL_ZONE = 'America/Chicago';

/** Visits to sites of the fleet: the circles that loads bring along are none. */
const READ_VISITS = `
  SELECT s.name AS site, v.arrived_after_ms::float8 AS "arrivedAfterMs", v.arrived_ms::float8 AS "arrivedMs",
    v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs"
  FROM linehaul.site_visits v JOIN linehaul.sites s ON s.id = v.site_id AND NOT s.is_of_load
  WHERE v.usdot = $1 AND v.unit = $2 AND v.arrived_ms <= $4 AND (v.left_ms IS NULL OR v.left_ms >= $3)
  ORDER BY v.arrived_ms LIMIT 200`;

const readVisits = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  unit: string,
  { fromMs, toMs }: TimeRange,
): Promise<CertifiedVisit[]> =>
  (await pool.query<CertifiedVisit>(READ_VISITS, [usdot, unit, fromMs, toMs])).rows;

/** A fix before a range, and one after it, is looked for so far. */
const FAR_MS = 7 * DAY_MS;

/** The fixes of a range and those about it; where it is silent there, the nearest one on either side. */
const readFixes = async (
  reader: Pick<HistoryReader, 'readTrail'>,
  usdot: string,
  input: CertificateInput,
  nowMs: number,
): Promise<TrailFix[]> => {
  const { unit, fromMs, toMs } = input;
  const [readFromMs, readToMs] = toReadRange(toLookedAt(input));
  const fixes = await reader.readTrail(usdot, unit, readFromMs, readToMs);
  const hasBefore = fixes.some(({ fixAtMs }) => fixAtMs <= fromMs);
  const hasAfter = nowMs <= readToMs || fixes.some(({ fixAtMs }) => fixAtMs > toMs);
  const before = hasBefore ? [] : await reader.readTrail(usdot, unit, readFromMs - FAR_MS, readFromMs);
  const after = hasAfter ? [] : await reader.readTrail(usdot, unit, readToMs, readToMs + FAR_MS);
  return [...before.slice(-1), ...fixes, ...after.slice(0, 1)];
};

/** What is known of a truck and a range now, as a certificate has it. @throws AppError 'unknown-unit' */
const draft = async (
  { database, clock }: Pick<CertificateContext, 'database' | 'clock'>,
  reader: Pick<HistoryReader, 'readTrail' | 'readCoverage' | 'readNames'>,
  usdot: string,
  input: CertificateInput,
): Promise<{ subject: PositionCertificate; name: string; vin: string | null; knownMs: number }> => {
  const { unit, fromMs, toMs } = input;
  const identity = (await reader.readNames(usdot, [unit])).get(unit);
  if (!identity) throw new AppError('unknown-unit');
  // Before anything is read: what comes while it is being read need not be in it.
  const nowMs = clock.nowMs();
  const fixes = await readFixes(reader, usdot, input, nowMs);
  const [readFromMs, readToMs] = toReadRange(toLookedAt(input, fixes));
  const coverage = await reader.readCoverage(usdot, readFromMs, readToMs);
  const { pool } = await database.open();
  const visits = await readVisits(pool, usdot, unit, { fromMs, toMs });
  const places = await loadPlaceTable();
  const at = fixes.findLast(({ fixAtMs }) => fixAtMs <= toMs) ?? fixes[0];
  const subject = toCertificate(input, {
    ...{ fixes, coverage, identity, visits, nowMs },
    timeZone: at ? lookUpZone(at.lat, at.lng) : USUAL_ZONE,
    placeOf: (point) => places.describe(point) ?? UNNAMED,
  });
  return { subject, name: unitName(identity), vin: identity.vin, knownMs: nowMs };
};

const toAbout = (name: string, { fromMs, toMs, timeZone }: PositionCertificate): string => {
  // Lists have little room: without the weekday.
  const [from, to] = [fromMs, toMs].map((ms) => documentTimeText(ms, timeZone).replace(/^\w+, /, ''));
  return `Truck ${name}, ${fromMs === toMs ? from : `${from} to ${to}`}`;
};

/**
 * Issues a certificate of where a truck was. @throws AppError 'unknown-unit', 'bad-input' for a time that has not come yet,
 * 'recording-off', 'history-busy'
 */
export const issueCertificate = async (
  context: CertificateContext,
  usdot: string,
  input: CertificateInput,
): Promise<IssuedDocument> => {
  const { database, viewer, clock, proof } = context;
  if (input.toMs > clock.nowMs()) {
    const detail = 'Choose a time that has come.';
    throw new AppError('bad-input', { detail, faults: [{ field: 'toMs', message: detail }] });
  }
  await requireSeenUnit(database, viewer, usdot, input.unit);
  const { subject, name, vin, knownMs } = await queryHistory(context, viewer, ({ reader }) =>
    draft(context, reader, usdot, input),
  );
  const issuer = await proof.readIssuer(usdot, vin);
  return change(context, 'proof.issue', (tx, record) =>
    issueDocument(
      tx,
      { clock, proof, record },
      {
        ...{ kind: 'position-certificate', subject, issuer, knownMs, unit: input.unit, loadId: null },
        ...{ about: toAbout(name, subject), revises: null, isShownByNumber: input.isShownByNumber },
        madeBy: { address: viewer.email ?? viewer.name, id: viewer.id },
      },
    ),
  );
};
