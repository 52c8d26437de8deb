import 'server-only';
import lookUpZone from '@photostructure/tz-lookup';
import { and, asc, desc, eq, gte, lte, sql } from 'drizzle-orm';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { AppError } from '@/lib/base/http/problems';
import type { Database, Executor } from '@/lib/database/database';
import { OWN_DEVICES } from '@/lib/config/providers';
import { judgeVin } from '@/lib/identity/decode-vin';
import { customerMails } from '@/lib/loads/server/tables';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { fleetProviders } from '@/lib/recording/tables';
import { areaM2 } from '@/lib/rules/geofence';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { sites } from '@/lib/sites/server/tables';
import { unitName } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { toWindow, type StayTimes } from '@/lib/rules/sure-stay';
import { toEvidence, type Evidence, type EvidenceInput } from '../../evidence';
import type { DetentionStatement } from '../../kinds/detention-statement';
import { findTerms, toEarlier, type Earlier, type Terms } from '../../terms';
import type { ProofServer } from '../documents';
import { readBasis, type FoundStay } from './stays';
import { readTerms } from './terms';

export interface SubjectSource {
  database: { open: () => Promise<Pick<Database, 'orm' | 'pool'>> };
  reader: Pick<HistoryReader, 'readTrail' | 'readCoverage' | 'readNames'>;
  readVinCarrier: ProofServer['readVinCarrier'];
}

/** What a statement about a stay says, and what it is stored by. */
export interface StatementDraft {
  stay: FoundStay;
  /** Null: there are no terms for the stay. */
  subject: DetentionStatement | null;
  /** Null: there is no load, or it was removed. */
  loadId: number | null;
  site: Pick<Site, 'id' | 'name' | 'isOfLoad'>;
  siteName: string;
  customer: string;
  reference: string;
  timeZone: string;
  truckName: string;
  basis: string;
}

/** A notice may come so long before free time ends. */
const NOTICE_MS = 12 * HOUR_MS;

const readAnySite = async (orm: Executor, usdot: string, id: number): Promise<Site> => {
  const { name, kind, color, notes, openingHours, marginM, shape, isOfLoad } = sites;
  const [site] = await orm
    .select({ id: sites.id, name, kind, color, notes, openingHours, marginM, shape, isOfLoad })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), eq(sites.id, id)));
  if (!site) throw new AppError('unknown-site');
  return site;
};

const toMatch = async (
  { database, readVinCarrier }: SubjectSource,
  usdot: string,
  vin: string | null,
): Promise<DetentionStatement['truck']['carrierMatch']> => {
  if (vin === null) return 'unknown';
  const { orm } = await database.open();
  const [noted] = await orm
    .select({ provider: fleetProviders.provider })
    .from(fleetProviders)
    .where(eq(fleetProviders.usdot, usdot))
    .orderBy(desc(fleetProviders.fromMs))
    .limit(1);
  // This server has the carrier's own list, and would bear witness to itself.
  if (noted?.provider === OWN_DEVICES) return 'own';
  // A provider that does not answer now proves nothing, and a statement says so.
  const carrier = await readVinCarrier(usdot, vin);
  if (carrier?.usdot == null) return 'unknown';
  return carrier.usdot === usdot ? 'same' : 'other';
};

const toTruck = async (
  source: SubjectSource,
  usdot: string,
  identity: UnitIdentity | undefined,
  unit: string,
): Promise<DetentionStatement['truck']> => {
  const vin = identity?.vin ?? null;
  const plate = [identity?.plateState, identity?.plateNumber].filter(Boolean).join(' ');
  const check = vin === null ? null : judgeVin({ vin, make: null, model: null, year: null });
  const isWrong = check?.some(
    ({ about, verdict }) => about !== 'maker' && about !== 'year' && verdict === 'wrong',
  );
  return {
    name: (identity ? unitName(identity) : unit).slice(0, 100),
    vin: vin?.slice(0, 40) ?? null,
    plate: plate.slice(0, 40) || null,
    vinCheck: vin === null ? null : isWrong ? 'wrong' : 'right',
    carrierMatch: await toMatch(source, usdot, vin),
  };
};

const toE5 = (degrees: number): number => Math.round(degrees * 1e5);

/** The place of a stay as a statement shows it: a polygon is drawn as a circle as large as it is. */
const toPlace = (
  { shape, marginM }: Site,
  { name, address, timeZone }: { name: string; address: string; timeZone: string },
): DetentionStatement['place'] => {
  const { lat, lng } = centerOf(shape);
  const radiusM = shape.type === 'circle' ? shape.radiusM : Math.sqrt(areaM2(shape) / Math.PI);
  const corners = shape.type === 'circle' ? [] : shape.corners;
  return {
    ...{ name: name.slice(0, 200), address, timeZone, latE5: toE5(lat), lngE5: toE5(lng) },
    ...{ radiusM: Math.round(radiusM), marginM: Math.round(marginM) },
    corners: corners.map(([cornerLat, cornerLng]) => [toE5(cornerLat), toE5(cornerLng)]),
  };
};

/** Alerts that free time ends, and the mails about it to the customer, each with what became of it. */
const readNotices = async (
  orm: Executor,
  usdot: string,
  { unit, siteId, position, arrivedMs }: FoundStay,
  { loadId, untilMs }: { loadId: number; untilMs: number },
): Promise<DetentionStatement['notices']> => {
  const { rows } = await orm.execute<{ atMs: number; state: 'opened' | 'sent' | 'failed' | 'pending' }>(sql`
    SELECT a.opened_ms::float8 AS "atMs", 'opened' AS state FROM linehaul.alerts a
    WHERE a.usdot = ${usdot} AND a.unit = ${unit} AND a.owner_id IS NULL
      AND a.opened_ms BETWEEN ${arrivedMs - NOTICE_MS} AND ${untilMs}
      AND (a.facts #>> '{load,id}')::float8 = ${loadId} AND (a.facts #>> '{load,freeEndsMs}') IS NOT NULL
      AND a.facts #>> '{load,stop}' = ${String(position)}
    UNION ALL
    SELECT d.updated_ms::float8, d.state FROM linehaul.alerts a JOIN linehaul.alert_deliveries d ON d.alert_id = a.id
    WHERE a.usdot = ${usdot} AND a.unit = ${unit} AND a.owner_id IS NULL AND d.event = 'opened' AND d.channel = 'email'
      AND a.opened_ms BETWEEN ${arrivedMs - NOTICE_MS} AND ${untilMs}
      AND (a.facts #>> '{load,id}')::float8 = ${loadId} AND (a.facts #>> '{load,freeEndsMs}') IS NOT NULL
      AND a.facts #>> '{load,stop}' = ${String(position)}
    ORDER BY 1 LIMIT 20`);
  const mails = await orm
    .select({
      address: customerMails.address,
      state: customerMails.state,
      createdMs: customerMails.createdMs,
      updatedMs: customerMails.updatedMs,
    })
    .from(customerMails)
    .where(
      and(
        eq(customerMails.loadId, loadId),
        eq(customerMails.about, 'freeTime'),
        eq(customerMails.siteId, siteId),
        gte(customerMails.createdMs, arrivedMs - NOTICE_MS),
        lte(customerMails.createdMs, untilMs),
      ),
    )
    .orderBy(asc(customerMails.createdMs))
    .limit(20);
  return [
    ...rows.map(({ atMs, state }) => ({ to: 'dispatcher' as const, address: null, atMs, state })),
    ...mails.map(({ address, state, createdMs, updatedMs }) => ({
      ...{ to: 'customer' as const, address, state },
      atMs: state === 'pending' ? createdMs : updatedMs,
    })),
  ];
};

/** What trucks that had the load at the stop before have used of its free time; undefined: there were none. */
const toUsed = (
  { earlier }: FoundStay,
  terms: Terms,
  appointment: DetentionStatement['appointment'],
): Earlier | undefined =>
  earlier.length === 0
    ? undefined
    : toEarlier(
        earlier.flatMap(({ sure }) => sure ?? []),
        terms,
        appointment,
      );

/** What the recorded fixes say of a stay, by the visits that it is of. @throws AppError 'no-evidence' */
const readEvidence = async (
  reader: SubjectSource['reader'],
  usdot: string,
  { unit, arrivedAfterMs, arrivedMs, leftMs, leftByMs }: FoundStay,
  of: Pick<EvidenceInput, 'site' | 'terms' | 'appointment' | 'earlier'> & { visits: readonly StayTimes[] },
): Promise<Evidence> => {
  const stay = { arrivedAfterMs, arrivedMs, leftMs, leftByMs };
  const visits = of.visits.length > 0 ? of.visits : [stay];
  const windows = [stay, ...visits].map((visit) => toWindow({ ...visit, leftMs: visit.leftMs ?? leftMs }));
  const fromMs = Math.min(...windows.map((window) => window.fromMs));
  const toMs = Math.max(...windows.map((window) => window.toMs));
  const [fixes, coverage] = await Promise.all([
    reader.readTrail(usdot, unit, fromMs, toMs),
    reader.readCoverage(usdot, fromMs, toMs),
  ]);
  const evidence = toEvidence({ ...of, stay, visits, fixes, coverage });
  if (evidence === null) throw new AppError('no-evidence');
  return evidence;
};

/** The newest revision of a statement, which is to be corrected. */
export interface Corrected {
  subject: DetentionStatement;
  loadId: number | null;
}

/**
 * What a statement about a stay would say now. A correction is about what the statement was about, whatever became of its load and
 * terms since: only the evidence is new. @throws AppError 'no-evidence'
 */
export const draftStatement = async (
  source: SubjectSource,
  usdot: string,
  stay: FoundStay,
  before: Corrected | null = null,
): Promise<StatementDraft> => {
  const { reader } = source;
  const { orm } = await source.database.open();
  const { unit, siteId, load, position, leftMs } = stay;
  const kept = before?.subject ?? null;
  const [{ basis, visits }, site, names, termsOfAll] = await Promise.all([
    readBasis(orm, usdot, stay),
    readAnySite(orm, usdot, siteId),
    reader.readNames(usdot, [unit]),
    kept === null ? readTerms(orm, usdot) : [],
  ]);
  const stop = load?.stops[position!] ?? null;
  const { lat, lng } = centerOf(site.shape);
  const timeZone = kept?.place.timeZone ?? stop?.timeZone ?? lookUpZone(lat, lng);
  const identity = names.get(unit);
  const customer = kept?.customer ?? load?.customer ?? '';
  const siteName = kept?.place.name ?? stop?.name ?? site.name;
  const loadId = before === null ? (load?.id ?? null) : before.loadId;
  const draft = {
    ...{ stay, loadId, site, siteName, customer, timeZone, basis },
    reference: (kept === null ? load?.reference : kept.load?.reference) ?? '',
    truckName: identity ? unitName(identity) : unit,
  };
  const terms =
    kept?.terms ?? findTerms(termsOfAll, { customer, siteId, loadId, freeMin: stop?.freeMin ?? null });
  if (terms === null) return { ...draft, subject: null };
  const appointment = kept === null ? (stop?.appointment ?? null) : kept.appointment;
  const earlier = kept ? kept.earlier : toUsed(stay, terms, appointment);
  const [evidence, truck] = await Promise.all([
    readEvidence(reader, usdot, stay, { visits, site, terms, appointment, earlier }),
    kept?.truck ?? toTruck(source, usdot, identity, unit),
  ]);
  const untilMs = Math.max(evidence.billing.freeToMs, leftMs) + MINUTE_MS;
  return {
    ...draft,
    subject: {
      ...{ truck, customer, appointment, terms },
      load: kept === null ? load && { reference: load.reference, po: load.po, bol: load.bol } : kept.load,
      place: toPlace(site, { name: siteName, address: kept?.place.address ?? stop?.address ?? '', timeZone }),
      ...evidence,
      ...(earlier && { earlier }),
      notices:
        loadId === null || position === null
          ? (kept?.notices ?? [])
          : await readNotices(orm, usdot, stay, { loadId, untilMs }),
    },
  };
};
