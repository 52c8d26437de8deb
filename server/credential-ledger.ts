import 'server-only';
import type { CredentialLedger, OwnedItem } from '@/lib/users/server/made-items';
import { isOwnCredential } from '@/service/store/credentials/key-records';
import type { Store } from '@/service/store/store';

/**
 * The embedded service's API keys and ingest tokens by maker. Accounts and service share one DATABASE_URL, so
 * that one transaction can hold both.
 */
export const createCredentialLedger = (
  { keys, ingestTokens }: Store,
  now: () => number,
): CredentialLedger => ({
  list: async (tx) => {
    const nowMs = now();
    const heldKeys = (await keys.list(undefined, tx)).filter(
      ({ revokedAtMs, access: { expiresAtMs } }) =>
        revokedAtMs === null && (expiresAtMs === null || expiresAtMs > nowMs),
    );
    const tokens = (await ingestTokens.list(undefined, tx)).filter(({ revokedAtMs }) => revokedAtMs === null);
    const toItem = (
      kind: OwnedItem['kind'],
      { id, name, usdot }: { id: string; name: string; usdot: string },
      madeById: string | null,
      isReplacedPair = false,
    ): OwnedItem => ({ kind, id, name, usdots: [usdot], madeById, isReplacedPair });
    return [
      ...heldKeys
        .filter((key) => !isOwnCredential(key))
        .flatMap((key) => [
          toItem('api-key', key, key.madeById),
          // One maker of both pairs loses both with the key.
          ...(key.replaced === null || key.replaced.madeById === key.madeById
            ? []
            : [toItem('api-key', key, key.replaced.madeById, true)]),
        ]),
      ...tokens
        .filter((token) => !isOwnCredential(token))
        .map((token) => toItem('ingest-token', token, token.madeById)),
    ];
  },
  revoke: async ({ kind, id, isReplacedPair }, tx) => {
    if (kind === 'ingest-token') return ingestTokens.revoke(id, tx);
    return isReplacedPair ? keys.endReplaced(id, tx) : keys.revoke(id, tx);
  },
});
