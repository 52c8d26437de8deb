import { config } from 'zod';

// The pages' policy forbids eval: zod would try it, which is reported as a violation, before it does without.
config({ jitless: true });
