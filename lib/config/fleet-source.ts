import 'server-only';
import type { z } from 'zod';
import { FLEET_SOURCES, carrierSchema, type FleetSource, type OwnCarrier } from '@/lib/identity/own-carrier';
import { isSet, text, type Source } from './values';

/** The variables of the carrier that `FLEET_SOURCE=own` tracks, by the field that each sets. */
const CARRIER_VARIABLES = {
  companyName: 'CARRIER_NAME',
  usdot: 'CARRIER_USDOT',
  mcNumber: 'CARRIER_MC',
} as const;
const NAMES = Object.values(CARRIER_VARIABLES);

const parseCarrier = (source: Source): { ownCarrier: OwnCarrier | null; faults: string[] } => {
  const missing = (['CARRIER_NAME', 'CARRIER_USDOT'] as const).filter((name) => !isSet(source, name));
  if (missing.length > 0)
    return { ownCarrier: null, faults: missing.map((name) => `${name} must be set with FLEET_SOURCE=own.`) };
  const parsed = carrierSchema.safeParse({
    companyName: source.CARRIER_NAME,
    usdot: source.CARRIER_USDOT,
    mcNumber: source.CARRIER_MC ?? '',
  });
  if (parsed.success) return { ownCarrier: parsed.data, faults: [] };
  const toFault = ({ path, message }: z.core.$ZodIssue) =>
    `${CARRIER_VARIABLES[path[0] as keyof OwnCarrier]}: ${message}`;
  return { ownCarrier: null, faults: parsed.error.issues.map(toFault) };
};

interface ParsedSource {
  source: FleetSource;
  /** The environment names the source, so that managers cannot choose another one. */
  isSourceFixed: boolean;
  ownCarrier: OwnCarrier | null;
  faults: string[];
}

/** The source of the fleets that the environment names, by default the demo, and every fault. */
export const parseFleetSource = (source: Source, hasProvider: boolean): ParsedSource => {
  const named = text.parse(source.FLEET_SOURCE);
  const kind = named === undefined && hasProvider ? 'provider' : (named ?? 'demo');
  const known = FLEET_SOURCES.find((each) => each === kind);
  const base = {
    source: known ?? 'demo',
    isSourceFixed: hasProvider || named !== undefined,
    ownCarrier: null,
  };
  if (known === undefined)
    return { ...base, faults: [`FLEET_SOURCE must be one of ${FLEET_SOURCES.join(', ')}.`] };
  if (known === 'provider' && !hasProvider)
    return { ...base, faults: ['TRACKING_BASE_URL must be set with FLEET_SOURCE=provider.'] };
  if (known !== 'provider' && hasProvider)
    return { ...base, faults: [`TRACKING_BASE_URL is set, so that FLEET_SOURCE cannot be ${known}.`] };
  if (known === 'own') return { ...base, ...parseCarrier(source) };
  const stray = NAMES.filter((name) => isSet(source, name));
  return { ...base, faults: stray.map((name) => `${name} is set without FLEET_SOURCE=own.`) };
};
