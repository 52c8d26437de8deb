import 'server-only';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { FleetList } from '@/lib/wire/fleet-list';
import type { Runtime } from './compose';
import { toAccountStatus } from './server-status';

/** The fleets of all accounts. It waits for nobody: an account that was not asked for yet has no name. */
export const readFleetList = ({ peekAccounts }: Pick<Runtime, 'peekAccounts'>): FleetList => ({
  fleets: peekAccounts()
    .map(toAccountStatus)
    .flatMap(({ usdot: configured, account, problem }) => {
      // An account without a number of its own in the settings is for the fleet of its carrier.
      const usdot = configured ?? parseUsdot(account?.usdot ?? '');
      return usdot === null ? [] : [{ usdot, account, problem }];
    }),
});
