import fc from 'fast-check';
import { IS_LONG } from './long';

/** The same examples in every `npm test`, so that a change alone can fail it; new ones in `npm run test:long`. */
if (!IS_LONG) fc.configureGlobal({ seed: 1956 });
