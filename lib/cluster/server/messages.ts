import 'server-only';
import { z } from 'zod';
import { LIVE_VERSION } from '@/lib/wire/live-bytes';

/** The version of all messages and keys: servers ignore those of another one. Published fleets hold live answers. */
export const MESSAGE_VERSION = `1.${LIVE_VERSION}` as const;
/** All keys begin with it. The braces keep them in one slot where Redis is sharded. */
export const KEY_PREFIX = `{linehaul}:${MESSAGE_VERSION}:`;

const usdot = z.string().min(1).max(20);
const text = z.string().max(200);

/** Which cached sessions are read from the database again. */
const sessionFilterSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('all') }),
  z.object({ by: z.literal('user'), id: text }),
  z.object({ by: z.literal('session'), id: text }),
]);
export type SessionFilter = z.infer<typeof sessionFilterSchema>;

/** A change that other servers apply to what they hold in memory. */
const changeSchema = z.discriminatedUnion('kind', [
  /** Sessions are read from the database again. */
  z.object({ kind: z.literal('sessions'), filter: sessionFilterSchema }),
  z.object({ kind: z.literal('screens'), ids: z.array(text) }),
  /** The settings that managers change are read again. */
  z.object({ kind: z.literal('settings') }),
  /** The sites and alert rules of a fleet are read again by its owner. */
  z.object({ kind: z.literal('watch'), usdot }),
  /** Managers chose another source of the fleets. */
  z.object({ kind: z.literal('source') }),
]);
export type SharedChange = z.infer<typeof changeSchema>;

const CALLS = ['detail', 'tryNow', 'knownCarrier', 'learnCarrier', 'learnNames'] as const;

const messageSchema = z.discriminatedUnion('kind', [
  /** Returns to its sender: while it does, the sender misses no message. */
  z.object({ kind: z.literal('echo') }),
  /** A browser shows the fleet. */
  z.object({ kind: z.literal('wanted'), usdot }),
  /** Its owner has written a new version of the fleet. */
  z.object({ kind: z.literal('published'), usdot }),
  /** The fleet is without an owner. */
  z.object({ kind: z.literal('released'), usdot }),
  ...changeSchema.options,
  /** To the owner of a fleet, and its reply. */
  z.object({
    kind: z.literal('call'),
    id: z.number(),
    usdot,
    name: z.enum(CALLS),
    args: z.array(z.unknown()),
  }),
  z.object({ kind: z.literal('result'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), id: z.number(), message: z.string() }),
]);
export type Message = z.infer<typeof messageSchema>;
export type CallName = (typeof CALLS)[number];

const envelopeSchema = z.object({ v: z.literal(MESSAGE_VERSION), from: text, message: messageSchema });
export type Envelope = z.infer<typeof envelopeSchema>;

export const toMessageText = (from: string, message: Message): string =>
  JSON.stringify({ v: MESSAGE_VERSION, from, message } satisfies Envelope);

/** Null for what another version of Linehaul has sent. */
export const parseMessage = (received: string): Envelope | null => {
  try {
    const parsed = envelopeSchema.safeParse(JSON.parse(received));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};
