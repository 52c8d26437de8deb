import { z, isVisible } from '@/lib/base/zod';
import { MINUTE_MS } from '@/lib/base/time';

/** How exactly a link shows a position: the fix, an area of this radius around it, or the town that is nearest. */
export const PRECISIONS = ['exact', 'area', 'town'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** 5 mi. */
export const AREA_RADIUS_M = 8047;

/** What a link shows besides where a truck is and how old that is. */
export const SHARED_FIELDS = [
  'status',
  'heading',
  'window',
  'stops',
  'trail',
  'truckNumber',
  'driver',
  'vin',
  'plate',
] as const;
export type SharedField = (typeof SHARED_FIELDS)[number];

/** What ends a link besides its time: a stop of the load or a site is reached or left, or the load is delivered. */
export const SHARE_ENDS = ['arrival', 'departure', 'delivery'] as const;
export type ShareEnd = (typeof SHARE_ENDS)[number];

export const MOST_SHARED = 20;
export const DELAYS_MIN = [0, 15, 30, 60, 120, 240] as const;
/** Links of a fleet that are open. */
export const MOST_SHARES = 5000;

const lineOf = (most: number, what: string) =>
  z
    .string()
    .trim()
    .max(most, `${what} has at most ${most} characters.`)
    .refine(isVisible, `${what} has no line breaks and no invisible characters.`);

/** What a link is about: a load, or a truck by its key. */
export const sharedItemSchema = z
  .strictObject({
    loadId: z.int().positive().nullable(),
    unit: z.string().min(1).max(140).nullable(),
    /** Shown instead of the truck's number; empty: none. */
    alias: lineOf(60, 'A name').default(''),
  })
  .refine(({ loadId, unit }) => (loadId === null) !== (unit === null), 'Give a load or a truck.');

/** A source of a content security policy that is one site: a URL may have "*", ";" and "," in its host. */
const ORIGIN = /^https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d+)?$/;

const originSchema = z
  .string()
  .max(200)
  .refine((text) => ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text, {
    message: 'Give the address of a site, such as https://portal.example.com.',
  });

/** POST /api/fleets/:usdot/shares and PUT /api/fleets/:usdot/shares/:id */
export const shareInputSchema = z
  .strictObject({
    /** Who it is for. */
    recipient: lineOf(100, 'A name').min(1, 'Say who it is for.'),
    items: z.array(sharedItemSchema).min(1).max(MOST_SHARED),
    precision: z.enum(PRECISIONS),
    fields: z.array(z.enum(SHARED_FIELDS)).max(SHARED_FIELDS.length),
    delayMin: z.literal(DELAYS_MIN),
    /** When it ends at the latest, Unix ms; null: another end is given. */
    endsMs: z.int().min(0).max(4_102_444_800_000).nullable(),
    /** Null: it ends by its time alone. */
    endsOn: z.enum(SHARE_ENDS).nullable(),
    /** The stop of the load that is reached or left, from 0; null: its last one. Of a truck: none. */
    endsAtStop: z.int().min(0).max(19).nullable(),
    /** The site that a truck reaches or leaves; null for loads. */
    endsAtSite: z.int32().positive().nullable(),
    /** Its page says that it has ended; else it is as if it had never been. */
    showsEnd: z.boolean(),
    /** Sites that may show it in a frame. */
    frameOrigins: z.array(originSchema).max(5),
  })
  .refine(({ endsMs, endsOn }) => endsMs !== null || endsOn !== null, 'Say when it ends.');
export type ShareInput = z.infer<typeof shareInputSchema>;

/** Why a link shows nothing any more. */
export type ShareState = 'open' | 'ended' | 'revoked';

/** GET /api/fleets/:usdot/shares: a link as its list shows it. */
export interface Share extends ShareInput {
  id: string;
  /** A name for each item, in their order. */
  names: string[];
  state: ShareState;
  /** Unix ms; null: it is open. */
  endedMs: number | null;
  /** What ended it; `closed`: its load was ended by hand; `removed`: its load or site was removed. Null: it is open. */
  endedBy: ShareEnd | 'closed' | 'removed' | 'time' | 'revoked' | null;
  madeBy: string;
  madeMs: number;
  opened: number;
  lastOpenedMs: number | null;
}

/** GET /api/fleets/:usdot/shares/:id/link: a path of this server, or a full URL if the server has a public URL. */
export interface ShareLink {
  link: string;
}

/** GET /api/fleets/:usdot/shares/:id/openings: an hour in which it was opened. Never by whom. */
export interface ShareOpenings {
  hourMs: number;
  count: number;
  /** From about how many different networks. */
  places: number;
}

/** A link's page asks again after so long. */
export const SHARE_REFRESH_MS = 15_000;
/** Answers are computed again after so long, ms. */
export const SHARE_KEPT_MS = 5000;
export const LATEST_END_MS = 366 * 24 * 60 * MINUTE_MS;
