import 'server-only';

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  // The policy of tile servers requires a Referer that names the site, so this may not be stricter.
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // For browsers without support for frame-ancestors.
  'x-frame-options': 'DENY',
};
const POLICY_HEADER = 'content-security-policy';
const toPolicy = (source: string): string =>
  `default-src ${source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/**
 * The policy of every answer that is neither a page nor a script: opened by itself it loads nothing and runs
 * nothing.
 */
const DATA_HEADERS = { ...COMMON_HEADERS, [POLICY_HEADER]: toPolicy("'none'") };
/** A script that is started as a worker has the policy of its own answer. */
const SCRIPT_HEADERS = { ...COMMON_HEADERS, [POLICY_HEADER]: toPolicy("'self'") };
const SERVICE_WORKER_PATH = '/service-worker.js';
/** A year, the least that browsers require of a site before they preload its policy; this host only. */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

/**
 * The security headers of the answer to a path, for every answer without its own: pages replace the policy
 * with one that has a nonce (server/http/pages.ts). Scripts of a development server have no policy, because they
 * use eval.
 */
export const toSecurityHeaders = (
  path: string,
  { isTls, isDevelopment }: { isTls: boolean; isDevelopment: boolean },
): Record<string, string> => {
  const isScript = path.startsWith('/_next/') || path === SERVICE_WORKER_PATH;
  const headers = !isScript ? DATA_HEADERS : isDevelopment ? COMMON_HEADERS : SCRIPT_HEADERS;
  return isTls ? { ...headers, ...STRICT_TRANSPORT } : headers;
};

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

/**
 * For answers to requests of our pages, which never keep them (`cache: 'no-store'`): Chromium keeps no page for Back that
 * has received an answer with `no-store`.
 */
export const PRIVATE_ANSWER = 'private, no-cache';
