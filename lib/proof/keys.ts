import { z } from '@/lib/base/zod';

/** What `typ` says in the header of a signed document. */
export const JWS_TYPE = 'linehaul-proof+jws';

/** A public key with its times, Unix ms: a JWK with plain extra members, as /.well-known/linehaul-proof-keys.json lists it. */
export const publicKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  /** The thumbprint of the key by RFC 7638. */
  kid: z.string().regex(/^[\w-]{43}$/),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
  fromMs: z.int(),
  /** When another took its place; null: it signs. */
  untilMs: z.int().nullable(),
  /** When it was marked as no longer to be trusted. */
  revokedMs: z.int().nullable(),
});
export type PublicKey = z.infer<typeof publicKeySchema>;

/** GET /.well-known/linehaul-proof-keys.json: a JWK set by RFC 7517. */
export const keySetSchema = z.object({ keys: z.array(publicKeySchema).max(1000) });
export type KeySet = z.infer<typeof keySetSchema>;
