import 'server-only';
import { resolveWithin, type Clock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { SHARES_PART, openDatabase } from '@/lib/database/database';
import type { TrackingAccount } from '@/lib/feeds/feeds';
import { ShareReader } from '@/lib/shares/server/read-share';
import { SharedPast } from '@/lib/shares/server/shown-parts';
import type { Log } from '@/lib/base/log';
import type { createProviderAnswers } from './provider-answers';
import type { Runtime } from './runtime';
import type { SignIn } from './sign-in';

interface Named {
  sources: readonly TrackingAccount[];
  answers: Pick<ReturnType<typeof createProviderAnswers>, 'readAccount'>;
  clock: Clock;
}

/** A provider that is slow delays no customer's page by more. */
const NAME_WITHIN_MS = 1000;

/** The name of a fleet's carrier, as its account gives it; null where none does, or none yet. */
export const createReadCarrierName =
  ({ sources, answers, clock }: Named) =>
  async (usdot: string): Promise<string | null> => {
    let name: string | null = null;
    const reading = sources.map((_, index) =>
      answers.readAccount(index).then(
        (account) => {
          if (account.usdot === usdot) name = account.companyName;
        },
        () => undefined,
      ),
    );
    await resolveWithin(Promise.all(reading), NAME_WITHIN_MS, clock);
    return name;
  };

/** Reads what links show, by a pool of its own. */
export const openShareReader = (
  {
    env,
    signIn,
    log,
    secret,
    history,
  }: {
    env: Pick<Env, 'databaseUrl'>;
    signIn: Pick<SignIn, 'database'>;
    log: Log;
    secret: string;
    history: Runtime['history'];
  },
  named: Named,
): ShareReader =>
  new ShareReader({
    open: async () => {
      // Migrates the tables, and refuses where there is no database.
      await signIn.database.open();
      return openDatabase(env.databaseUrl!, SHARES_PART, log).pool;
    },
    clock: named.clock,
    ...{ secret, log },
    past: history && new SharedPast(history.reader),
    readCarrierName: createReadCarrierName(named),
  });
