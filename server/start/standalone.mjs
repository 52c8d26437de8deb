/**
 * What a container starts: secrets that came as files become settings, and then it is Next's own server, which the
 * production build puts at the root of .next/standalone.
 */
import { SecretFileError, loadSecretFiles } from './secret-files.mjs';

try {
  loadSecretFiles(process.env);
} catch (error) {
  if (!(error instanceof SecretFileError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
await import(new URL('../../server.js', import.meta.url).href);
