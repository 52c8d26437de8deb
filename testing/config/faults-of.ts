import { EnvError, parseEnv } from '@/lib/config/env';

/** What parseEnv finds wrong with an environment; nothing where it can be used. */
export const faultsOf = (source: Record<string, string>): readonly string[] => {
  try {
    parseEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.faults;
    throw error;
  }
  return [];
};
