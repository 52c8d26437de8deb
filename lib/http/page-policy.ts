import 'server-only';

/** scheme://host[:port] of a URL template, in the form that a policy can express. */
const ORIGIN = /^(https?):\/\/([\w.:{}*-]+)(?:[/?#]|$)/;

/**
 * The policy source of tiles; null for our own server. A policy allows a wildcard only in front, so the part
 * of the host that a template leaves open, and all before it, becomes one wildcard.
 */
export const toTileSource = (tilesUrl: string | null): string | null => {
  const [, scheme, host] = ORIGIN.exec(tilesUrl ?? '') ?? [];
  if (scheme === undefined || host === undefined) return null;
  const labels = host.split('.');
  const open = labels.findLastIndex((label) => label.includes('{'));
  return `${scheme}://${open < 0 ? host : ['*', ...labels.slice(open + 1)].join('.')}`;
};

interface PolicyOptions {
  /** Nonce of this one answer; every script and style element of ours carries it. */
  nonce: string;
  tilesUrl: string | null;
  /** In development React explains errors by eval, and styles are inserted as they change. */
  isDevelopment: boolean;
}

/** The policy of a page: what it may load and run, and that no page may frame it. */
export const toPagePolicy = ({ nonce, tilesUrl, isDevelopment }: PolicyOptions): string => {
  const own = `'nonce-${nonce}'`;
  const tiles = toTileSource(tilesUrl);
  const directives: Record<string, (string | null)[]> = {
    'default-src': ["'none'"],
    // Browsers without strict-dynamic use 'self'; the others ignore it.
    'script-src': ["'self'", own, "'strict-dynamic'", isDevelopment ? "'unsafe-eval'" : null],
    'style-src': ["'self'", isDevelopment ? "'unsafe-inline'" : own],
    // Positions and sizes are inline styles on elements, also in server-rendered HTML.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', tiles],
    'font-src': ["'self'"],
    'connect-src': ["'self'", isDevelopment ? 'ws:' : null],
    // The worker that paints the base map; the bundler may start it from a blob.
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
