import type { LatLng } from '@/lib/geo/units';
import type { StoredStop } from './load';
import type { ImportedLoad, ImportedStop, StopInput } from './schema';
import { readAppointment } from './times';

/** A stop that is given, or one that stays where it is. */
export type KeptStop = StopInput | StoredStop;

/** What a file has of the stops of a load, beside what is stored, cannot be. Its message is for the user. */
export class StopsError extends Error {}

/** The IANA zone of a site by its id, or of a position. */
type ZoneOf = (at: number | LatLng) => string;

const toPlace = (
  { siteId = null, place = null, address }: ImportedStop,
  held: StoredStop | null,
): Pick<StopInput, 'siteId' | 'place'> => {
  if (place === null) return { siteId, place };
  const { lat, lng } = place;
  return { siteId, place: { ...place, name: place.name ?? held?.name ?? (address || `${lat}, ${lng}`) } };
};

/** A stop as a file has it; what the file does not have is as it is stored. @throws StopsError */
const mergeStop = (
  kind: StopInput['kind'],
  given: ImportedStop,
  held: StoredStop | null,
  zoneOf: ZoneOf,
): KeptStop => {
  const isPlaced = given.siteId != null || given.place != null;
  if (held === null && !isPlaced) throw new StopsError(`The ${kind} has no place: add a column with it.`);
  const { address, freeMin, contactName, contactPhone } = given;
  const zone = isPlaced ? zoneOf(given.siteId ?? given.place!) : held!.timeZone;
  const rest = {
    kind,
    address: address ?? held?.address ?? '',
    appointment: given.appointment ? readAppointment(given.appointment, zone) : null,
    freeMin: freeMin === undefined ? (held?.freeMin ?? null) : freeMin,
    contactName: contactName ?? held?.contactName ?? '',
    contactPhone: contactPhone ?? held?.contactPhone ?? '',
  };
  if (given.appointment === undefined) rest.appointment = held?.appointment ?? null;
  else if (given.appointment !== null && rest.appointment === null)
    throw new StopsError(`The appointment of the ${kind} ends before it begins.`);
  return isPlaced ? { ...rest, ...toPlace(given, held) } : { ...held!, ...rest };
};

const isAt = ({ siteId, place }: ImportedStop, held: StoredStop): boolean =>
  place == null ? siteId == null || siteId === held.siteId : place.lat === held.lat && place.lng === held.lng;

/** The stored stop that each of all given ones is: the next one of its kind at its place, else the one in its position. */
const findHeld = (
  given: NonNullable<ImportedLoad['stops']>,
  held: readonly StoredStop[],
): (StoredStop | null)[] => {
  const left = new Set(held);
  const take = (stop: StoredStop | undefined): StoredStop | null => {
    if (stop) left.delete(stop);
    return stop ?? null;
  };
  const same = given.map((stop) =>
    take([...left].find((each) => each.kind === stop.kind && isAt(stop, each))),
  );
  return given.map(
    ({ kind }, i) => same[i] ?? take([...left].find((each) => each === held[i] && each.kind === kind)),
  );
};

/**
 * The stops of a load after a file: those that its lines list, or its first pickup and its last delivery. What the file does
 * not have is as it is stored; undefined: it has nothing of stops. @throws StopsError
 */
export const mergeStops = (
  held: readonly StoredStop[],
  { stops, pickup, delivery }: Pick<ImportedLoad, 'stops' | 'pickup' | 'delivery'>,
  zoneOf: ZoneOf,
): KeptStop[] | undefined => {
  if (stops !== undefined) {
    const same = findHeld(stops, held);
    return stops.map(({ kind, ...given }, i) => mergeStop(kind, given, same[i]!, zoneOf));
  }
  if (pickup === undefined && delivery === undefined) return undefined;
  const merged: KeptStop[] = [...held];
  const merge = (kind: 'pickup' | 'delivery', given: ImportedStop | null | undefined, at: number): void => {
    const was = held[at] ?? null;
    if (given === undefined || (given === null && was === null)) return;
    const stop = given === null ? [] : [mergeStop(kind, given, was, zoneOf)];
    const place = was === null ? (kind === 'pickup' ? 0 : merged.length) : merged.indexOf(was);
    merged.splice(place, was === null ? 0 : 1, ...stop);
  };
  merge(
    'pickup',
    pickup,
    held.findIndex(({ kind }) => kind === 'pickup'),
  );
  merge(
    'delivery',
    delivery,
    held.findLastIndex(({ kind }) => kind === 'delivery'),
  );
  return merged;
};
