import 'server-only';
import type { Connected, ShownSource, SourceChange } from '@/lib/fleet-source/schema';
import { AppError } from '@/lib/base/http/problems';
import { listProviderHosts, type ProviderAccount } from '@/lib/config/providers';
import type { ChosenSource, Env } from '@/lib/config/env';
import type { ActionContext } from '@/lib/audit/audit';
import type { StoredSource } from './stored-source';
import type { Executor } from '@/lib/database/database';
import { lockSettings } from '@/lib/database/setting-repository';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import { insertFirstUser } from '@/lib/auth/server/user-repository';
import { asManager, changeAsManager } from '@/lib/users/server/user-scope';
import type { Viewer } from '@/lib/base/viewer';

/** The choice of where the fleets come from. */
export interface SourceControl {
  /** Reads a provider's fleet once for a user or a client's address. @throws AppError 'provider-refused', 'too-many-attempts' */
  check: (provider: ProviderAccount, client: string) => Promise<Connected>;
  /** @throws AppError 'accounts-unavailable' */
  read: () => Promise<StoredSource>;
  write: (
    tx: Executor,
    source: ChosenSource,
    changed: { changedBy: string; changedAtMs: number },
  ) => Promise<void>;
  /** Composes the server again if another source is stored; resolves when it answers. @throws if that cannot be read */
  reload: () => Promise<void>;
  /** Removes the demo's carriers, vehicles, positions and credentials; false where there were none. */
  removeDemo: () => Promise<boolean>;
}

interface SourceContext extends ActionContext {
  env: Env;
  sources: SourceControl;
}

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
  { audit, clock, client }: ActionContext,
  manager: Omit<NonNullable<SourceChange['manager']>, 'password'> & { passwordHash: string },
  tx: Executor,
): Promise<Viewer> => {
  const user = { ...manager, id: crypto.randomUUID(), role: 'manager', usdots: null, tags: null } as const;
  if (!(await insertFirstUser(tx, user, clock.nowMs()))) throw new AppError('set-up-closed');
  const { passwordHash: _, ...viewer } = user;
  const by = { kind: 'user', ...viewer } as const;
  await audit.record({ by, action: 'set-up', subject: user.email, address: client.address }, tx);
  return by;
};

/**
 * Checks and stores the source of the fleets, in the demo with the first manager, and composes the server again.
 * @throws AppError 'fixed-setting', 'whole-server', 'bad-input', 'set-up-closed', 'provider-refused', 'too-many-attempts',
 * 'accounts-unavailable'
 */
export const changeSource = async (
  context: SourceContext & { auth: { hash: (password: string) => Promise<string> } },
  change: SourceChange,
): Promise<Connected | undefined> => {
  const { viewer, client, audit, auth, clock, env, sources } = context;
  const { source, manager } = change;
  if (env.isSourceFixed) throw new AppError('fixed-setting');
  requireManager(change, viewer);
  // The right to change it comes before any request to the address.
  await asManager(context, [], async (_, acting) => requireWholeServer(acting));
  const connected =
    source.kind === 'provider'
      ? await sources.check(source.provider, viewer.id ?? client.address)
      : undefined;
  const passwordHash = manager === null ? '' : await auth.hash(manager.password);
  await asManager(context, [], async (tx, acting) => {
    requireWholeServer(acting);
    await lockSettings(tx);
    const by =
      manager === null
        ? acting
        : await createManager(context, { name: manager.name, email: manager.email, passwordHash }, tx);
    const changed = { changedBy: by.email ?? by.name, changedAtMs: clock.nowMs() };
    await sources.write(tx, source.kind === 'demo' ? null : source, changed);
    // By the first manager, where one was created just now.
    const event = { by, action: 'fleet-source.change', subject: toSubject(source) } as const;
    await audit.record({ ...event, address: client.address }, tx);
  });
  await sources.reload();
  return connected;
};

/** Removes the demo's data. @throws AppError 'demo-is-shown', 'whole-server', 'accounts-unavailable' */
export const removeDemo = async (context: SourceContext): Promise<{ isRemoved: boolean }> => {
  const { env, sources } = context;
  await changeAsManager(context, 'demo.remove', [], async (_, record, manager) => {
    requireWholeServer(manager);
    if (env.source === 'demo') throw new AppError('demo-is-shown');
    await record();
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
  { env, sources }: Pick<SourceContext, 'env' | 'sources'>,
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
