import 'server-only';
import type { Ended, MadeItems } from '@/lib/users/server/user-admin';
import type { Clock } from '@/lib/base/clock';
import type { Executor } from '@/lib/database/database';
import { listWallScreens, revokeWallScreen } from '@/lib/wall-screens/server/wall-screens';
import type { AuditAction } from '@/lib/audit/schema';
import { mayKeep, toOwnedItem, type MadeItem, type OwnedItem } from '@/lib/users/schema';
import { coversScope } from '@/lib/users/server/user-scope';
import { listAlertItems, removeAlertItem } from '@/lib/alerts/server/left-behind';
import { endLoadKey, listLoadKeyItems } from '@/lib/api-keys/server/load-keys';
import { listMailItems, removeMailItem } from '@/lib/handover/server/mail-schedule';
import { endCalendar, listCalendarItems } from '@/lib/shares/server/calendars';
import { listShareItems, revokeShareItem } from '@/lib/shares/server/shares';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';

const REVOKED: Readonly<Record<MadeItem['kind'], AuditAction>> = {
  'wall-screen': 'wall-screen.revoke',
  'api-key': 'api-key.revoke',
  'load-key': 'load-key.revoke',
  'ingest-token': 'ingest-token.revoke',
  webhook: 'webhook.remove',
  'own-rule': 'alert-rule.remove',
  'fleet-rule': 'alert-rule.remove',
  'push-subscription': 'push-subscription.remove',
  'handover-mail': 'handover-mail.remove',
  share: 'share.revoke',
};

const listCredentials = async (
  { keys, ingestTokens }: ServiceAdmin,
  tx: Executor,
  nowMs: number,
): Promise<OwnedItem[]> => {
  const validKeys = (await keys.list(undefined, tx)).filter(
    ({ revokedAtMs, access: { expiresAtMs } }) =>
      revokedAtMs === null && (expiresAtMs === null || expiresAtMs > nowMs),
  );
  const tokens = (await ingestTokens.list(undefined, tx)).filter(({ revokedAtMs }) => revokedAtMs === null);
  return [
    ...validKeys.flatMap(({ usdot, replaced, ...key }) => {
      const item = { ...key, usdots: [usdot] };
      // One maker of both pairs loses both with the key.
      return replaced === null || replaced.madeById === key.madeById
        ? [toOwnedItem('api-key', item)]
        : [
            toOwnedItem('api-key', item),
            toOwnedItem('api-key', { ...item, madeById: replaced.madeById }, true),
          ];
    }),
    ...tokens.map((token) => toOwnedItem('ingest-token', { ...token, usdots: [token.usdot] })),
  ];
};

/** Items that work without the user who created them. @param service null without an embedded tracking service */
export const createMadeItems = (options: { service: ServiceAdmin | null; clock: Clock }): MadeItems => {
  const { service, clock } = options;

  /** Ends an item as part of the transaction; false if it has already ended. */
  const revoke = async ({ kind, id, isReplacedPair }: MadeItem, tx: Executor): Promise<boolean> => {
    if (kind === 'wall-screen') return (await revokeWallScreen(tx, id, clock.nowMs())) !== null;
    if (kind === 'load-key') return (await endLoadKey(tx, id, clock.nowMs())) !== null;
    if (kind === 'handover-mail') return removeMailItem(tx, id);
    if (kind === 'share')
      return (await revokeShareItem(tx, id, clock.nowMs())) || endCalendar(tx, id, clock.nowMs());
    if (kind !== 'api-key' && kind !== 'ingest-token')
      return removeAlertItem(tx, { kind, id }, clock.nowMs());
    if (service === null) return false;
    if (kind === 'ingest-token') return service.ingestTokens.revoke(id, tx);
    return isReplacedPair ? service.keys.endReplaced(id, tx) : service.keys.revoke(id, tx);
  };

  const listAll = async (tx: Executor): Promise<OwnedItem[]> => {
    const screens = (await listWallScreens(tx))
      .filter(({ revokedAtMs }) => revokedAtMs === null)
      .map((screen) => toOwnedItem('wall-screen', screen));
    const credentials = service === null ? [] : await listCredentials(service, tx, clock.nowMs());
    const loadKeys = await listLoadKeyItems(tx, clock.nowMs());
    return [
      ...[...screens, ...credentials, ...loadKeys],
      ...(await listAlertItems(tx)),
      ...(await listMailItems(tx)),
      ...(await listShareItems(tx, clock.nowMs())),
      ...(await listCalendarItems(tx, clock.nowMs())),
    ];
  };

  return {
    read: async (tx, userId, { usdots }) => {
      const seen = (await listAll(tx)).filter((item) => coversScope(usdots, item.usdots));
      return {
        made: seen.filter(({ madeById }) => madeById === userId),
        withoutMaker: seen.filter(({ madeById }) => madeById === null),
      };
    },
    revokeExcess: async (tx, user, record) => {
      const rights = { ...user, isDisabled: user.disabledAtMs !== null };
      const excess = (await listAll(tx)).filter(
        (item) => item.madeById === user.id && !mayKeep(rights, item),
      );
      const ended: Ended = { screenIds: [], ruleUsdots: [] };
      for (const item of excess) {
        const { kind, id, name, usdots, isReplacedPair } = item;
        if (kind === 'wall-screen') ended.screenIds.push(id);
        if (kind === 'own-rule') ended.ruleUsdots.push(...(usdots ?? []));
        if (!(await revoke(item, tx))) continue;
        const details = { usdots, id, madeBy: user.email, ...(isReplacedPair && { isReplacedPair }) };
        await record(name, details, REVOKED[kind]);
      }
      return ended;
    },
  };
};
