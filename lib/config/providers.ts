import 'server-only';
import { z } from 'zod';
import type { FleetSource } from '@/lib/identity/own-carrier';
import { baseUrl, isSet, secret, usdot, type Source } from './values';

/** One account of a provider. */
export interface ProviderAccount {
  baseUrl: string;
  apiKey: string;
  providerToken: string;
  /**
   * The fleet that the account is read for. Each of several accounts has one; a single account is read for
   * any fleet.
   */
  usdot: string | null;
}

/** As many as the fleets that one server polls. */
const MAX_ACCOUNTS = 32;
const FIELDS = ['BASE_URL', 'API_KEY', 'PROVIDER_TOKEN', 'USDOT'] as const;
const SECRETS = ['API_KEY', 'PROVIDER_TOKEN'] as const;
const FIRST = 'TRACKING_';
/** Variables of the second and later accounts, such as TRACKING_2_BASE_URL. */
const NUMBERED = /^TRACKING_(\d+)_(.+)$/;

const accountSchema = z.object({ BASE_URL: baseUrl, API_KEY: secret, PROVIDER_TOKEN: secret, USDOT: usdot });

/** The numbers of the second and later accounts, and numbered variables that are no setting of an account. */
const listNumbered = (source: Source): { numbers: number[]; faults: string[] } => {
  const numbers = new Set<number>();
  const faults: string[] = [];
  for (const name of Object.keys(source).filter((each) => isSet(source, each))) {
    const [, digits, field] = NUMBERED.exec(name) ?? [];
    if (digits === undefined) continue;
    const number = Number(digits);
    const isWritten = String(number) === digits && number >= 2 && number <= MAX_ACCOUNTS;
    if (isWritten && FIELDS.some((each) => each === field)) numbers.add(number);
    else
      faults.push(
        `${name} is no setting: accounts after the first are numbered from 2 to ${MAX_ACCOUNTS}, ` +
          `each with ${FIELDS.map((each) => `TRACKING_2_${each}`).join(', ')}.`,
      );
  }
  return { numbers: [...numbers].sort((a, b) => a - b), faults };
};

/** An incomplete account is a typing error, not a choice. */
const toIncompleteFaults = (source: Source, prefix: string, isOneOfSeveral: boolean): string[] => {
  const isMissing = (field: string) => !isSet(source, `${prefix}${field}`);
  if (isOneOfSeveral) {
    return FIELDS.filter(isMissing).map(
      (field) => `${prefix}${field} must be set: each of several accounts has all four of its settings.`,
    );
  }
  if (!isMissing('BASE_URL')) {
    return SECRETS.filter(isMissing).map((field) => `${prefix}${field} must be set with ${prefix}BASE_URL.`);
  }
  return SECRETS.filter((field) => !isMissing(field)).map(
    (field) => `${prefix}${field} is set without ${prefix}BASE_URL: set both or neither.`,
  );
};

/** The provider of a fleet must not depend on the order of accounts. */
const toSharedFleetFaults = (read: readonly { prefix: string; usdot: string | null }[]): string[] =>
  read.flatMap(({ prefix, usdot: number }, index) => {
    const first = read.slice(0, index).find((other) => number !== null && other.usdot === number);
    return first === undefined
      ? []
      : [`${prefix}USDOT is ${number} as ${first.prefix}USDOT is: a fleet has one account.`];
  });

/**
 * The provider accounts of the environment, in the order of their numbers, and every fault in them, without a
 * secret.
 */
export const parseProviders = (
  source: Source,
): { providers: ProviderAccount[]; homeUsdot: string | null; faults: string[] } => {
  const { numbers, faults } = listNumbered(source);
  const prefixes = [FIRST, ...numbers.map((number) => `TRACKING_${number}_`)];
  const isOneOfSeveral = numbers.length > 0;
  faults.push(...prefixes.flatMap((prefix) => toIncompleteFaults(source, prefix, isOneOfSeveral)));
  const read = prefixes.flatMap((prefix) => {
    const parsed = accountSchema.safeParse(
      Object.fromEntries(FIELDS.map((field) => [field, source[`${prefix}${field}`]])),
    );
    if (parsed.success) return [{ prefix, ...parsed.data, usdot: parsed.data.USDOT }];
    faults.push(...parsed.error.issues.map(({ path, message }) => `${prefix}${path.join('.')} ${message}.`));
    return [];
  });
  faults.push(...toSharedFleetFaults(read));
  const providers = read.flatMap(({ BASE_URL, API_KEY, PROVIDER_TOKEN, USDOT }) =>
    BASE_URL && API_KEY && PROVIDER_TOKEN
      ? [{ baseUrl: BASE_URL, apiKey: API_KEY, providerToken: PROVIDER_TOKEN, usdot: USDOT }]
      : [],
  );
  return { providers, homeUsdot: read[0]?.prefix === FIRST ? read[0].usdot : null, faults };
};

const hostOf = ({ baseUrl }: ProviderAccount): string => new URL(baseUrl).host;

/** Stands for the provider of a fleet whose devices report to this server. */
export const OWN_DEVICES = 'Own devices';

/** The provider of a fleet by the host of its API; of own trucks and the demo what stands for it. */
export const toProviderName = (
  { source, providers }: { source: FleetSource | null; providers: readonly ProviderAccount[] },
  usdot: string,
): string => {
  const account = providers.find((each) => each.usdot === usdot) ?? providers[0];
  if (account !== undefined) return hostOf(account);
  return source === 'demo' ? 'Demo' : OWN_DEVICES;
};

/** The hosts where the accounts' keys are issued, each once. */
export const listProviderHosts = (providers: readonly ProviderAccount[]): string[] => [
  ...new Set(providers.map(hostOf)),
];
