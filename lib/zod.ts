import { config, z } from 'zod';

// The pages' policy forbids eval: zod would try it, which is reported as a violation, before it does without.
if (typeof window !== 'undefined') config({ jitless: true });

export { z };
