import 'server-only';
import type { Client } from '@/lib/base/viewer';
import type { Progress } from '@/lib/getting-started/schema';
import { AppError } from '@/lib/base/http/problems';
import type { ActionContext } from '@/lib/audit/audit';
import type { Env } from '@/lib/config/env';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';
import { lockSettings, readSetting, writeSetting } from '@/lib/database/setting-repository';
import { asManager } from '@/lib/users/server/user-scope';
import type { UserAdmin } from '@/lib/users/server/user-admin';

/** The setting that hides the checklist. */
const DISMISSED = 'getting-started-dismissed';

const NOTHING: Progress = {
  isShown: false,
  vehicles: 0,
  hasToken: false,
  connectedAtMs: null,
  reportedAtMs: null,
  colleagues: 0,
  isEncrypted: false,
};

interface ProgressContext extends Pick<ActionContext, 'viewer' | 'database'> {
  env: Env;
  client: Pick<Client, 'isTls'>;
  users: Pick<UserAdmin, 'list'>;
  openServiceAdmin: () => Promise<ServiceAdmin>;
}

/** How far a carrier with own trucks has come. @throws AppError 'accounts-unavailable', 'database-unavailable' */
export const readProgress = async (context: ProgressContext): Promise<Progress> => {
  const { env, viewer, client, database, users, openServiceAdmin } = context;
  const usdot = env.ownCarrier?.usdot;
  if (usdot === undefined || viewer.usdots !== null) return NOTHING;
  if ((await readSetting((await database.open()).orm, DISMISSED)) !== null) return NOTHING;
  const service = await openServiceAdmin();
  const [{ vehicles, reportedAtMs }, tokens, listed] = await Promise.all([
    service.devices.count(usdot),
    service.ingestTokens.list(usdot),
    users.list(viewer),
  ]);
  const used = tokens.map(({ lastUsedAtMs }) => lastUsedAtMs).filter((atMs) => atMs !== null);
  const progress = {
    vehicles,
    connectedAtMs: used.length === 0 ? reportedAtMs : Math.max(...used),
    reportedAtMs,
    colleagues: listed.users.length - 1 + listed.invitations.length,
    isEncrypted: client.isTls,
  };
  const hasToken = tokens.some(({ revokedAtMs }) => revokedAtMs === null);
  return { isShown: Object.values(progress).some((step) => !step), hasToken, ...progress };
};

/** Hides the checklist for all managers. @throws AppError 'whole-server', 'accounts-unavailable' */
export const dismissProgress = async (
  context: Pick<ActionContext, 'viewer' | 'database' | 'clock'>,
): Promise<void> =>
  asManager(context, [], async (tx, { usdots, email, name }) => {
    if (usdots !== null) throw new AppError('whole-server');
    await lockSettings(tx);
    await writeSetting(tx, DISMISSED, {
      value: true,
      changedBy: email ?? name,
      changedAtMs: context.clock.nowMs(),
    });
  });
