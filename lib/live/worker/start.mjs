// A thread does not inherit the TypeScript loader, nor can it get one through its flags.
import 'server-only';
import { register } from 'tsx/esm/api';

register();
await import('./thread.ts');
