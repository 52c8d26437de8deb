import { timeZoneSchema, z } from '@/lib/base/zod';
import { STOP_KINDS, VERDICTS } from '@/lib/arrivals/load';
import type { LoadInFull, LoadStop } from './load';
import { MAIL_LANGUAGES, loadMailsSchema, MAIL_SUBJECTS } from './mails';
import { MAX_STOPS, loadInputSchema, stopInputSchema } from './schema';
import { timeSchema, toIso } from './times';

const { address, freeMin, contactName, contactPhone, place } = stopInputSchema.shape;
const { po, bol, customer, note, tags } = loadInputSchema.shape;

const { addresses: mailAddresses, about: mailSubjects, language: mailLanguage } = loadMailsSchema.shape;

const stopSchema = z.strictObject({
  kind: z.enum(STOP_KINDS),
  site: z.string().max(200).optional().describe('The name of a site of the fleet.'),
  place: place.unwrap().optional().describe('A place that is no site, in degrees (WGS 84).'),
  address: address.unwrap().optional(),
  appointment: z
    .strictObject({ from: timeSchema, to: timeSchema.optional().describe('Left out: as `from`.') })
    .nullish()
    .describe('When the truck is to arrive.'),
  zone: timeZoneSchema
    .optional()
    .describe('The IANA time zone of times without an offset; left out: that of the stop.'),
  freeMinutes: freeMin.unwrap().optional(),
  contact: z
    .strictObject({ name: contactName.unwrap().optional(), phone: contactPhone.unwrap().optional() })
    .optional(),
});
export type TmsStop = z.infer<typeof stopSchema>;

/** PUT /api/v1/loads/:reference: a field that is left out stays as it is, and on a new load is empty. */
export const tmsLoadSchema = z.strictObject({
  po: po.unwrap().optional(),
  bol: bol.unwrap().optional(),
  customer: customer.unwrap().optional(),
  note: note.unwrap().optional(),
  tags: tags.unwrap().optional(),
  truck: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullish()
    .describe('The VIN or the number of its truck; null: none. Left out: as dispatchers have set it.'),
  stops: z
    .array(stopSchema)
    .min(1, 'A load has at least one stop.')
    .max(MAX_STOPS, `A load has at most ${MAX_STOPS} stops.`)
    .describe('All stops in their order.'),
  mails: z
    .strictObject({
      to: mailAddresses,
      about: mailSubjects.describe(
        'pickup and delivery: its truck has left the stop; late: the window has moved beyond the appointment.',
      ),
      language: mailLanguage.default('en'),
    })
    .optional()
    .describe('Mails to the customer. Left out: as they are.'),
});
export type TmsLoad = z.infer<typeof tmsLoadSchema>;

const time = z.string();

/** A load as programs read it; times are ISO 8601 by the clock of their stop. */
export const tmsAnswerSchema = z.object({
  reference: z.string(),
  ...{ po: z.string(), bol: z.string(), customer: z.string(), note: z.string(), tags: z.array(z.string()) },
  truck: z.object({ vin: z.string().nullable(), number: z.string().nullable() }).nullable(),
  state: z
    .string()
    .describe(
      'How far it is: noTruck, toPickup, atPickup, toDelivery, atDelivery, toOther, atOther, delivered or closed.',
    ),
  verdict: z
    .string()
    .describe('Whether it is in time for its next stop: atRisk, late, unknown, onTime or none.'),
  next: z
    .number()
    .nullable()
    .describe('The stop that its truck is at or goes to, from 0; null: all are done.'),
  arrival: z
    .object({ from: time, to: time })
    .nullable()
    .describe('The window that holds its arrival at the next stop in 8 of 10 cases.'),
  noArrival: z.string().nullable().describe('Why there is no window.'),
  ended: time.nullable(),
  mails: z
    .object({
      ...{ to: z.array(z.string()), about: z.array(z.enum(MAIL_SUBJECTS)), language: z.enum(MAIL_LANGUAGES) },
      ended: z.array(z.string()).describe('Addresses whose readers want no more mails about this load.'),
    })
    .describe('Mails to the customer.'),
  stops: z.array(
    z.object({
      ...{ kind: z.enum(STOP_KINDS), name: z.string(), lat: z.number(), lng: z.number(), zone: z.string() },
      ...{ address: z.string(), appointment: z.object({ from: time, to: time }).nullable() },
      freeMinutes: z.number().nullable(),
      contact: z.object({ name: z.string(), phone: z.string() }),
      arrival: z
        .object({ from: time, to: time })
        .nullable()
        .describe(
          'About when the truck arrives: of a stop after the next one, by usual stays and the interstates.',
        ),
      verdict: z
        .enum(VERDICTS)
        .nullable()
        .describe('Whether it is in time for this stop; null: the load is past it, or has ended.'),
      arrivedAfter: time.nullable().describe('It arrived after this; null: no fix tells.'),
      arrived: time.nullable().describe('It arrived by this.'),
      left: time.nullable().describe('It left after this.'),
      leftBy: time.nullable().describe('It was gone by this; null: no fix tells.'),
      passed: z.boolean().describe('A later stop was reached, and this one was not seen to be.'),
    }),
  ),
});
export type TmsAnswer = z.infer<typeof tmsAnswerSchema>;

/** A load as programs read it, with the names of its truck. */
export const toTmsAnswer = (
  load: LoadInFull,
  { truck, mails }: Pick<TmsAnswer, 'truck' | 'mails'>,
): TmsAnswer => {
  const { reference, po, bol, customer, note, tags, state, verdict, next, window, noWindow, endedMs } = load;
  const toTime =
    ({ timeZone }: LoadStop) =>
    (atMs: number | null | undefined) =>
      atMs == null ? null : toIso(atMs, timeZone);
  const toNext = toTime(load.stops[next ?? load.stops.length - 1]!);
  return {
    ...{ reference, po, bol, customer, note, tags, truck, state, verdict, next, mails },
    arrival: window && { from: toNext(window.fromMs)!, to: toNext(window.toMs)! },
    ...{ noArrival: next === null ? null : noWindow, ended: toNext(endedMs) },
    stops: load.stops.map((stop, position) => {
      const { kind, name, lat, lng, timeZone, address, appointment, freeMin, contactName, contactPhone } =
        stop;
      const { visit = null, isPassed = false } = load.judged[position] ?? {};
      const toStopTime = toTime(stop);
      const ahead = position === next ? { window, verdict } : load.later[position];
      const arrives = ahead?.window ?? null;
      return {
        ...{ kind, name, lat, lng, zone: timeZone, address, freeMinutes: freeMin, passed: isPassed },
        appointment: appointment && {
          from: toStopTime(appointment.fromMs)!,
          to: toStopTime(appointment.toMs)!,
        },
        contact: { name: contactName, phone: contactPhone },
        arrival: arrives && { from: toStopTime(arrives.fromMs)!, to: toStopTime(arrives.toMs)! },
        verdict: ahead?.verdict ?? null,
        ...{ arrivedAfter: toStopTime(visit?.arrivedAfterMs), arrived: toStopTime(visit?.arrivedMs) },
        ...{ left: toStopTime(visit?.leftMs), leftBy: toStopTime(visit?.leftByMs) },
      };
    }),
  };
};
