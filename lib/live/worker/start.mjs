// A thread does not inherit the loader of TypeScript, nor may it be told one by its flags.
import 'server-only';
import { register } from 'tsx/esm/api';

register();
await import('./thread.ts');
