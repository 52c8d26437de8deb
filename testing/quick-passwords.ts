import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Hashes passwords with a thousandth of the work: 1,300 hashes took 180 s of the processor time of all tests. */
const { scrypt } = crypto;
type Scrypt = (password: string, salt: string, bytes: number, options: object, done: () => void) => void;
const quickScrypt: Scrypt = (password, salt, bytes, options, done) =>
  scrypt(password, salt, bytes, { ...options, N: 16 }, done);
Object.assign(crypto, { scrypt: quickScrypt });
syncBuiltinESMExports();
