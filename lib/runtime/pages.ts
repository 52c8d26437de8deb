import 'server-only';
import { connection } from 'next/server';
import type { Problem } from '@/lib/wire/problem';
import { toProblem } from './respond';
import { readRuntime } from './runtime';

export interface ScreenConfig {
  /** Raster tiles over the base map; null: none. */
  tilesUrl: string | null;
  /** HTML, as Leaflet shows it. */
  tilesAttribution: string;
  /** Whether the fleet is the embedded service's demonstration. */
  isDemo: boolean;
  pollIntervalMs: number;
}

/** The settings that a browser may know. */
export const readScreenConfig = async (): Promise<ScreenConfig> => {
  await connection();
  const { provider, tiles, pollIntervalMs } = readRuntime().env;
  return {
    tilesUrl: tiles?.url ?? null,
    tilesAttribution: tiles?.attribution ?? '',
    isDemo: provider === null,
    pollIntervalMs,
  };
};

/** The fleet to open first: the configured one, else the account's own, else why there is none. */
export const readHomeUsdot = async (): Promise<{ usdot: string } | { problem: Problem }> => {
  await connection();
  const { env, log, readAccount } = readRuntime();
  if (env.homeUsdot !== null) return { usdot: env.homeUsdot };
  try {
    return { usdot: (await readAccount()).usdot };
  } catch (error) {
    log.error({ err: error }, 'The account of the API key could not be read.');
    return { problem: toProblem(error) };
  }
};
