/**
 * The code of a thread from TypeScript source, whose paths are relative to the checkout. The thread does not inherit the
 * TypeScript loader, and with one of its own it starts a second later: so it bundles its modules. A string rather than a
 * path, because a bundler that resolves a path would include it in the server.
 */
export const toThreadCode = (source: string): string => `
const { buildSync } = require('esbuild');
const { outputFiles } = buildSync({
  stdin: { contents: ${JSON.stringify(source)}, resolveDir: process.cwd(), loader: 'ts' },
  bundle: true,
  platform: 'node',
  // It resolves server-only to the empty module, as on a server.
  conditions: ['react-server'],
  write: false,
});
require('node:vm').runInThisContext('(require) => {' + outputFiles[0].text + '}')(require);`;
