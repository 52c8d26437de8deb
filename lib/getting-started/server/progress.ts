import 'server-only';
import type { Client } from '@/lib/base/viewer';
import type { Progress } from '@/lib/getting-started/schema';
import { AppError } from '@/lib/base/http/problems';
import type { Runtime } from '@/lib/access/runtime';
import { lockSettings, readSetting, writeSetting } from '@/lib/database/setting-repository';
import type { By } from '@/lib/users/server/user-scope';

/** The setting that hides the checklist. */
const DISMISSED = 'getting-started-dismissed';

const NOTHING: Progress = {
  isShown: false,
  vehicles: 0,
  devices: 0,
  reportedAtMs: null,
  colleagues: 0,
  isEncrypted: false,
};

type ProgressRuntime = Pick<Runtime, 'env' | 'accounts' | 'openServiceAdmin'>;

/** How far a carrier with own trucks has come. @throws AppError 'accounts-unavailable', 'database-unavailable' */
export const readProgress = async (
  { env, accounts, openServiceAdmin }: ProgressRuntime,
  { viewer, client }: { viewer: By['viewer']; client: Pick<Client, 'isTls'> },
): Promise<Progress> => {
  const usdot = env.ownCarrier?.usdot;
  if (usdot === undefined || viewer.usdots !== null) return NOTHING;
  if ((await readSetting((await accounts.open()).orm, DISMISSED)) !== null) return NOTHING;
  const service = await openServiceAdmin();
  const [{ vehicles, withDevice, reportedAtMs }, tokens, { users, invitations }] = await Promise.all([
    service.devices.count(usdot),
    service.ingestTokens.list(usdot),
    accounts.userAdmin.list(viewer),
  ]);
  const hasToken = tokens.some(({ revokedAtMs }) => revokedAtMs === null);
  const progress = {
    vehicles,
    devices: hasToken ? withDevice : 0,
    reportedAtMs,
    colleagues: users.length - 1 + invitations.length,
    isEncrypted: client.isTls,
  };
  return { isShown: Object.values(progress).some((step) => !step), ...progress };
};

/** Hides the checklist for all managers. @throws AppError 'whole-server', 'accounts-unavailable' */
export const dismissProgress = async (
  { accounts, clock }: Pick<Runtime, 'accounts' | 'clock'>,
  viewer: By['viewer'],
): Promise<void> =>
  accounts.asManager(viewer, [], async (tx, { usdots, email, name }) => {
    if (usdots !== null) throw new AppError('whole-server');
    await lockSettings(tx);
    await writeSetting(tx, DISMISSED, {
      value: true,
      changedBy: email ?? name,
      changedAtMs: clock.nowMs(),
    });
  });
