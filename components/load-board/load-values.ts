import type { StopKind } from '@/lib/arrivals/load';
import type { Load, LoadStop } from '@/lib/loads/load';
import type { LoadMailsInput } from '@/lib/loads/mails';
import { loadInputSchema, type LoadInput, type StopInput } from '@/lib/loads/schema';
import { truckOf } from '@/lib/loads/text';
import { parseAppointment, typeAppointment } from '@/lib/loads/typed-appointment';
import { choosePlace, type PlaceSources, type StopPlace } from '@/lib/loads/typed-place';
import { z } from '@/lib/base/zod';
import { UNKNOWN_TRUCK } from './truck-key';

/** A stop as it is typed. */
export interface StopValues {
  kind: StopKind;
  place: string;
  appointment: string;
  address: string;
  freeHours: string;
  contactName: string;
  contactPhone: string;
  /** The place that it has already; null: a new stop. */
  held: StopPlace | null;
}

/** A load as it is typed. */
export interface LoadValues {
  reference: string;
  unit: string;
  customer: string;
  po: string;
  bol: string;
  tags: string;
  note: string;
  stops: StopValues[];
  /** Mails to the customer; null: they stay as they are. */
  mails: MailValues | null;
}

/** Mails to the customer as they are typed. */
export interface MailValues extends Omit<LoadMailsInput, 'addresses'> {
  addresses: string;
}

/** What typed texts are read with. */
export interface Reading extends PlaceSources {
  /** The key of a truck by its name; null: the fleet has none of that name. */
  keyOf: (name: string) => string | null;
  /** Undefined until it is loaded. */
  zoneOf: ((place: StopPlace) => string | null) | undefined;
  nowMs: number;
}

export const newStop = (kind: StopKind): StopValues => ({
  ...{ kind, place: '', appointment: '', address: '', freeHours: '', contactName: '', contactPhone: '' },
  held: null,
});

const toStopValues = (stop: LoadStop): StopValues => ({
  kind: stop.kind,
  place: stop.name,
  appointment: typeAppointment(stop.appointment, stop.timeZone),
  address: stop.address,
  freeHours: stop.freeMin === null ? '' : String(Math.round((stop.freeMin / 60) * 100) / 100),
  contactName: stop.contactName,
  contactPhone: stop.contactPhone,
  held: { name: stop.name, siteId: stop.siteId, lat: stop.lat, lng: stop.lng },
});

/** The values of the form for a load; null: a new one. */
export const toLoadValues = (load: Load | null, nameOf: (key: string) => string): LoadValues => {
  const key = load && truckOf(load);
  return {
    reference: load?.reference ?? '',
    unit: key === null ? '' : nameOf(key),
    customer: load?.customer ?? '',
    po: load?.po ?? '',
    bol: load?.bol ?? '',
    tags: load?.tags.join(', ') ?? '',
    note: load?.note ?? '',
    stops: load?.stops.map(toStopValues) ?? [newStop('pickup'), newStop('delivery')],
    mails: null,
  };
};

/** A load that is given to a truck, and is else as it was. */
export const withTruck = (load: Load, unit: string | null): LoadInput => ({
  ...{ reference: load.reference, po: load.po, bol: load.bol, customer: load.customer },
  ...{ note: load.note, tags: load.tags, unit },
  stops: load.stops.map(
    ({ kind, siteId, name, lat, lng, address, appointment, freeMin, contactName, contactPhone }) => ({
      ...{ kind, siteId, address, appointment, freeMin, contactName, contactPhone },
      place: siteId === null ? { name, lat, lng } : null,
    }),
  ),
});

interface Problem {
  path: (string | number)[];
  message: string;
}

/** What the form sends, and what it cannot read. */
export interface TypedLoad {
  input: LoadInput;
  problems: Problem[];
}

const MS_OF_START = 0;

/** The zone of the place that a text means; null where it means none. */
export const zoneOfTyped = ({ place, held }: StopValues, reading: Reading): string | null => {
  const chosen = choosePlace(place, { ...reading, held });
  return chosen === null ? null : (reading.zoneOf?.(chosen) ?? null);
};

/** Reads what was typed. A stop that names no day goes on from the one before. */
export const toTypedLoad = (values: LoadValues, reading: Reading): TypedLoad => {
  const problems: Problem[] = [];
  const unit = values.unit.trim() === '' ? null : reading.keyOf(values.unit);
  if (unit === null && values.unit.trim() !== '') problems.push({ path: ['unit'], message: UNKNOWN_TRUCK });
  let afterMs = MS_OF_START;
  const stops = values.stops.map((stop, i): StopInput => {
    const place = choosePlace(stop.place, { ...reading, held: stop.held });
    const refuse = (field: string, message: string): void =>
      void problems.push({ path: ['stops', i, field], message });
    if (place === null)
      refuse(
        'place',
        stop.place.trim() === ''
          ? 'Name a site or a town.'
          : 'Choose a site or a town from the list, or add coordinates.',
      );
    const appointment = readAppointment(stop, place, refuse);
    if (appointment !== null) afterMs = appointment.fromMs;
    const freeHours = stop.freeHours.trim() === '' ? null : Number(stop.freeHours.replace(',', '.'));
    if (Number.isNaN(freeHours)) refuse('freeHours', 'Give hours, such as 2 or 1.5.');
    return {
      ...{ kind: stop.kind, address: stop.address, appointment },
      ...{ contactName: stop.contactName, contactPhone: stop.contactPhone },
      freeMin: freeHours === null || Number.isNaN(freeHours) ? null : Math.round(freeHours * 60),
      siteId: place?.siteId ?? null,
      place: place === null ? { name: '-', lat: 0, lng: 0 } : place.siteId === null ? toOwn(place) : null,
    };
  });
  const { reference, customer, po, bol, note, mails } = values;
  const tags = values.tags.split(',').flatMap((tag) => tag.trim().toLowerCase() || []);
  return {
    input: {
      ...{ reference, customer, po, bol, note, tags: [...new Set(tags)], unit, stops },
      ...(mails && { mails: { ...mails, addresses: mails.addresses.split(/[\s,;]+/).filter(Boolean) } }),
    },
    problems,
  };

  function readAppointment(
    stop: StopValues,
    place: StopPlace | null,
    refuse: (field: string, message: string) => void,
  ): StopInput['appointment'] {
    if (stop.appointment.trim() === '' || place === null) return null;
    const zone = reading.zoneOf?.(place);
    if (zone == null) {
      refuse('appointment', 'The time zone of the stop is not known yet. Try again.');
      return null;
    }
    const found = parseAppointment(stop.appointment, zone, reading.nowMs, Math.max(afterMs, reading.nowMs));
    if (found === undefined) refuse('appointment', 'Type a time, such as 8a, 14:30 or tomorrow 8-10.');
    return found ?? null;
  }
};

const toOwn = ({ name, lat, lng, radiusM }: StopPlace): StopInput['place'] => ({
  ...{ name, lat, lng },
  ...(radiusM === undefined ? {} : { radiusM }),
});

/** Checks what was read as the server does, with what could not be read. */
export const typedLoadSchema = z.custom<TypedLoad>().superRefine(({ input, problems }, context) => {
  const refused = new Set(problems.map(({ path }) => path.join('.')));
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
  for (const { path, message } of loadInputSchema.safeParse(input).error?.issues ?? [])
    if (!refused.has(path.join('.'))) context.addIssue({ code: 'custom', path, message });
});
