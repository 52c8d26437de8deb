import 'server-only';
import { and, eq, inArray, not, sql } from 'drizzle-orm';
import { AppError, isAppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { sites } from '@/lib/sites/server/tables';
import type { LoadInFull } from '../load';
import { referenceSchema, type StopInput } from '../schema';
import { readAppointment } from '../times';
import { toTmsAnswer, type TmsAnswer, type TmsLoad, type TmsStop } from '../tms';
import { findLoad, putLoad, type LoadParts } from './load-import';
import {
  changeLoads,
  readInFull,
  readLoads,
  removeLoad,
  toSitePosition,
  toPosition,
  type LoadContext,
} from './loads';
import { readMailsOf } from './load-mails';
import { findTruck, nameTruck, type TruckSource } from './trucks';

/** A request of a program about the loads of the one fleet of its key. */
export type TmsContext = LoadContext & TruckSource;

const usdotOf = ({ viewer }: TmsContext): string => viewer.usdots![0]!;

const toRefusal = (field: string, message: string): AppError =>
  new AppError('load-not-understood', { detail: message, faults: [{ field, message }] });

/** The reference in an address. @throws AppError 'unknown-load' */
const requireReference = (text: string): string => {
  const parsed = referenceSchema.safeParse(text);
  if (!parsed.success) throw new AppError('unknown-load');
  return parsed.data;
};

type KnownSite = Pick<typeof sites.$inferSelect, 'id' | 'name' | 'shape'>;

/** The sites that stops name. */
const readSites = async (tx: Executor, usdot: string, stops: readonly TmsStop[]): Promise<KnownSite[]> => {
  const names = stops.flatMap(({ site }) => (site === undefined ? [] : site.trim().toLowerCase()));
  return tx
    .select({ id: sites.id, name: sites.name, shape: sites.shape })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), not(sites.isOfLoad), inArray(sql`lower(${sites.name})`, names)));
};

const findSite = (known: readonly KnownSite[], text: string, field: string): KnownSite => {
  const name = text.trim();
  const found = known.filter((site) => site.name.toLowerCase() === name.toLowerCase());
  const site = found.find((each) => each.name === name) ?? (found.length === 1 ? found[0] : undefined);
  if (site) return site;
  throw toRefusal(
    field,
    found.length === 0
      ? `The fleet has no site “${name}”.`
      : `More than one site is called “${name}”. Write its name as on the page of sites.`,
  );
};

const toStop = (stop: TmsStop, at: number, known: readonly KnownSite[]): StopInput => {
  const { kind, site: name, place, address = '', appointment, zone, freeMinutes, contact } = stop;
  const field = `stops.${at}`;
  if ((name === undefined) === (place === undefined))
    throw toRefusal(field, `Give stop ${at + 1} a site or a place.`);
  const site = name === undefined ? null : findSite(known, name, `${field}.site`);
  const { timeZone } = site ? toSitePosition(site.shape) : toPosition(place!);
  const times = appointment ? readAppointment(appointment, zone ?? timeZone) : null;
  if (appointment && times === null)
    throw toRefusal(`${field}.appointment.to`, `The appointment of stop ${at + 1} ends before it begins.`);
  return {
    ...{ kind, address, siteId: site?.id ?? null, place: place ?? null, appointment: times },
    ...{ freeMin: freeMinutes ?? null },
    ...{ contactName: contact?.name ?? '', contactPhone: contact?.phone ?? '' },
  };
};

/** What a body gives of a load; parts that it leaves out stay as they are stored. */
const toParts = async (
  tx: Executor,
  usdot: string,
  { stops, truck: _truck, mails, ...given }: TmsLoad,
  named: { reference: string; unit: string | null | undefined },
): Promise<LoadParts> => {
  const known = await readSites(tx, usdot, stops);
  const placed = stops.map((stop, at) => toStop(stop, at, known));
  const parts = Object.entries({ ...given, unit: named.unit }).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(parts) as Partial<LoadParts>),
    ...{ reference: named.reference, toStops: () => placed },
    ...(mails && { mails: { addresses: mails.to, about: mails.about, language: mails.language } }),
  };
};

const toAnswer = async (context: TmsContext, load: LoadInFull): Promise<TmsAnswer> => {
  const unit = load.trucks.at(-1)?.unit;
  const isHeld = load.trucks.at(-1)?.toMs === null;
  const { orm } = await context.database.open();
  const { addresses: to, ...mails } = await readMailsOf(orm, load.id);
  return toTmsAnswer(load, {
    truck: unit === undefined || !isHeld ? null : await nameTruck(context, usdotOf(context), unit),
    mails: { to, ...mails },
  });
};

const readById = async (context: TmsContext, id: number): Promise<TmsAnswer> => {
  const { pool } = await context.database.open();
  const nowMs = context.clock.nowMs();
  const [load] = await readLoads(pool, usdotOf(context), { endedAfterMs: 0, ids: [id], nowMs });
  if (!load) throw new AppError('unknown-load');
  return toAnswer(context, await readInFull(pool, usdotOf(context), load, nowMs));
};

/** The load of a reference. @throws AppError 'unknown-load' */
export const readTmsLoad = async (context: TmsContext, text: string): Promise<TmsAnswer> => {
  const { orm } = await context.database.open();
  const load = await findLoad(orm, usdotOf(context), requireReference(text));
  if (load === null) throw new AppError('unknown-load');
  return readById(context, load.id);
};

/** An error whose field is named as programs name it. */
const toTmsError = (error: unknown): unknown =>
  isAppError(error) && error.faults?.[0]?.field === 'unit'
    ? new AppError(error.code, {
        ...(error.detail !== undefined && { detail: error.detail }),
        faults: error.faults.map((fault) => ({ ...fault, field: 'truck' })),
      })
    : error;

/**
 * Makes the load of a reference, or changes it to what is given; the same again changes nothing and is not recorded.
 * @throws AppError 'load-not-understood', 'load-ended', 'too-many-loads'
 */
export const putTmsLoad = async (
  context: TmsContext,
  text: string,
  body: TmsLoad,
): Promise<{ isNew: boolean; load: TmsAnswer }> => {
  const usdot = usdotOf(context);
  const parsed = referenceSchema.safeParse(text);
  if (!parsed.success) throw toRefusal('reference', parsed.error.issues[0]!.message);
  const reference = parsed.data;
  // Before the transaction: the provider may be asked for its roster.
  const unit = body.truck ? await findTruck(context, usdot, body.truck) : body.truck;
  const { id, kind } = await changeLoads(context, 'load.change', usdot, async (tx, record) =>
    putLoad(tx, record, context, usdot, await toParts(tx, usdot, body, { reference, unit })),
  ).catch((error: unknown) => {
    throw toTmsError(error);
  });
  return { isNew: kind === 'added', load: await readById(context, id) };
};

/** Removes the load of a reference. @throws AppError 'unknown-load' */
export const removeTmsLoad = async (context: TmsContext, text: string): Promise<void> => {
  const { orm } = await context.database.open();
  const load = await findLoad(orm, usdotOf(context), requireReference(text));
  if (load === null) throw new AppError('unknown-load');
  await removeLoad(context, usdotOf(context), load.id);
};
