import { EnvError, parseEnv } from '@/lib/config/env';

/** The faults that parseEnv finds in an environment; empty if it is valid. */
export const faultsOf = (source: Record<string, string>): readonly string[] => {
  try {
    parseEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.faults;
    throw error;
  }
  return [];
};
