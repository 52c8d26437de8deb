import 'server-only';
import type { Connected, ShownSource, SourceChange } from '@/lib/fleet-source/schema';
import { AppError } from '@/lib/base/http/problems';
import { listProviderHosts } from '@/lib/config/providers';
import type { Env } from '@/lib/config/env';
import type { Runtime } from '@/lib/access/runtime';
import type { Executor } from '@/lib/database/database';
import { lockSettings } from '@/lib/database/setting-repository';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import { insertFirstUser } from '@/lib/auth/server/user-repository';
import type { By } from '@/lib/users/server/user-scope';
import type { Viewer } from '@/lib/base/viewer';

type ChangeRuntime = Pick<Runtime, 'accounts' | 'clock' | 'env' | 'sources'>;

/** A source in the audit log, without secrets. */
const toSubject = (source: SourceChange['source']): string => {
  if (source.kind === 'demo') return 'demo';
  return source.kind === 'own' ? `own trucks, USDOT ${source.carrier.usdot}` : source.provider.baseUrl;
};

/** @throws AppError 'whole-server' */
const requireWholeServer = ({ usdots }: Viewer): void => {
  if (usdots !== null) throw new AppError('whole-server');
};

/** The demo has no users: a change of its source needs the first manager. @throws AppError 'bad-input' */
const requireManager = ({ source, manager }: SourceChange, { kind }: Viewer): void => {
  const isNeeded = kind === 'demo' && source.kind !== 'demo';
  if (isNeeded === (manager !== null)) return;
  const detail = isNeeded ? 'The first manager is missing.' : 'There is a manager already.';
  throw new AppError('bad-input', { detail });
};

const createManager = async (
  { accounts, clock }: ChangeRuntime,
  manager: Omit<NonNullable<SourceChange['manager']>, 'password'> & { passwordHash: string },
  address: string,
  tx: Executor,
): Promise<Viewer> => {
  const user = { ...manager, id: crypto.randomUUID(), role: 'manager', usdots: null, tags: null } as const;
  if (!(await insertFirstUser(tx, user, clock.nowMs()))) throw new AppError('set-up-closed');
  const { passwordHash: _, ...viewer } = user;
  const by = { kind: 'user', ...viewer } as const;
  await accounts.audit.record({ by, action: 'set-up', subject: user.email, address }, tx);
  return by;
};

/**
 * Checks and stores the source of the fleets, and composes the server again with it. In the demo, the first manager is
 * created in the same transaction.
 * @throws AppError 'fixed-setting', 'whole-server', 'bad-input', 'set-up-closed', 'provider-refused',
 * 'too-many-attempts', 'accounts-unavailable'
 */
export const changeSource = async (
  runtime: ChangeRuntime,
  change: SourceChange,
  { viewer, address }: By,
): Promise<Connected | undefined> => {
  const { accounts, clock, env, sources } = runtime;
  const { source, manager } = change;
  if (env.isSourceFixed) throw new AppError('fixed-setting');
  requireManager(change, viewer);
  // The right to change it comes before any request to the address.
  await accounts.asManager(viewer, [], async (_, acting) => requireWholeServer(acting));
  const connected =
    source.kind === 'provider' ? await sources.check(source.provider, viewer.id ?? address) : undefined;
  const passwordHash = manager === null ? '' : await accounts.hash(manager.password);
  await accounts.asManager(viewer, [], async (tx, acting) => {
    requireWholeServer(acting);
    await lockSettings(tx);
    const by =
      manager === null
        ? acting
        : await createManager(
            runtime,
            { name: manager.name, email: manager.email, passwordHash },
            address,
            tx,
          );
    const changed = { changedBy: by.email ?? by.name, changedAtMs: clock.nowMs() };
    await sources.write(tx, source.kind === 'demo' ? null : source, changed);
    await accounts.audit.record(
      { by, action: 'fleet-source.change', subject: toSubject(source), address },
      tx,
    );
  });
  await sources.reload();
  return connected;
};

/** Removes the demo's data. @throws AppError 'demo-is-shown', 'whole-server', 'accounts-unavailable' */
export const removeDemo = async (
  { accounts, env, sources }: Pick<Runtime, 'accounts' | 'env' | 'sources'>,
  { viewer, address }: By,
): Promise<{ isRemoved: boolean }> => {
  await accounts.asManager(viewer, [], async (tx, by) => {
    requireWholeServer(by);
    if (env.source === 'demo') throw new AppError('demo-is-shown');
    await accounts.audit.record({ by, action: 'demo.remove', address }, tx);
  });
  return { isRemoved: await sources.removeDemo() };
};

const toText = ({ source, ownCarrier, providers, demoUnits }: Env): string => {
  if (source === 'demo') return `The demo: ${demoUnits} simulated trucks`;
  if (ownCarrier === null) return `The provider at ${listProviderHosts(providers).join(', ')}`;
  const { companyName, usdot, mcNumber } = ownCarrier;
  return `Own trucks of ${companyName}, USDOT ${usdot}${mcNumber === null ? '' : `, ${mcNumber}`}`;
};

/** The same for a manager of some fleets, which may not include that carrier or those of that provider. */
const TEXTS_BY_KIND = {
  demo: 'The demo: simulated trucks',
  provider: 'A provider',
  own: 'Own trucks',
} as const;

const toShownProvider = ({ providers: [first] }: Env): ShownSource['provider'] =>
  first === undefined ? null : { baseUrl: first.baseUrl, usdot: first.usdot };

/** Where the fleets come from, for managers. @throws AppError 'accounts-unavailable' */
export const readSource = async (
  { env, sources }: Pick<Runtime, 'env' | 'sources'>,
  { usdots }: Viewer,
): Promise<ShownSource> => {
  const isFixed = env.isSourceFixed;
  const stored = isFixed ? null : await sources.read();
  const changed = stored?.changed ?? null;
  const { source } = env;
  const seesAll = usdots === null;
  return {
    kind: source,
    text: seesAll || source === null ? toText(env) : TEXTS_BY_KIND[source],
    carrier: seesAll ? env.ownCarrier : null,
    provider: isFixed || !seesAll ? null : toShownProvider(env),
    fixedBecause: isFixed ? 'environment' : seesAll ? null : 'scope',
    isKeyLost: stored?.isReadable === false,
    changed: changed && { by: seesAll ? changed.changedBy : HIDDEN_MANAGER, atMs: changed.changedAtMs },
  };
};
