import { config, z } from 'zod';

// The pages' policy forbids eval: zod would try it, which is reported as a violation, before it does without.
if (typeof window !== 'undefined') config({ jitless: true });

export { z };

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    // Thrown for a zone that is not known.
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** A time zone by its IANA name. */
export const timeZoneSchema = z.string().max(64).refine(isTimeZone, 'That is no time zone.');
