import 'server-only';

/** scheme://host[:port] of a URL template, as far as a policy can say it. */
const ORIGIN = /^(https?):\/\/([\w.:{}*-]+)(?:[/?#]|$)/;

/**
 * Where tiles come from, as a source of a policy; null for our own server. A policy knows a wildcard only in front:
 * whatever of the host a template leaves open, and all before it, becomes one.
 */
export const toTileSource = (tilesUrl: string | null): string | null => {
  const [, scheme, host] = ORIGIN.exec(tilesUrl ?? '') ?? [];
  if (scheme === undefined || host === undefined) return null;
  const labels = host.split('.');
  const open = labels.findLastIndex((label) => label.includes('{'));
  return `${scheme}://${open < 0 ? host : ['*', ...labels.slice(open + 1)].join('.')}`;
};

interface PolicyOptions {
  /** Of this one answer; every script and style element of ours bears it. */
  nonce: string;
  tilesUrl: string | null;
  /** React explains errors by eval there, and styles are put in as they change. */
  isDevelopment: boolean;
}

/** What a page may load and run, and that nobody may frame it. */
export const toPagePolicy = ({ nonce, tilesUrl, isDevelopment }: PolicyOptions): string => {
  const own = `'nonce-${nonce}'`;
  const tiles = toTileSource(tilesUrl);
  const directives: Record<string, (string | null)[]> = {
    'default-src': ["'none'"],
    // Browsers that know strict-dynamic pass over 'self'; it is for those that do not.
    'script-src': ["'self'", own, "'strict-dynamic'", isDevelopment ? "'unsafe-eval'" : null],
    'style-src': ["'self'", isDevelopment ? "'unsafe-inline'" : own],
    // Positions and sizes are written on the elements themselves, also by the server.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', tiles],
    'font-src': ["'self'"],
    'connect-src': ["'self'", isDevelopment ? 'ws:' : null],
    // The painter of the base map; its bundler may start it from a blob.
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources.filter((source) => source !== null)].join(' '))
    .join('; ');
};
