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
/** A year, the least that browsers require of a site before they preload its policy; this host only. */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

/**
 * The security headers of the answer to a path, for every answer without its own: pages replace the policy
 * with one that has a nonce (server/pages.ts). Scripts of a development server have no policy, because they
 * use eval.
 */
export const toAnswerHeaders = (
  path: string,
  { isTls, isDevelopment }: { isTls: boolean; isDevelopment: boolean },
): Record<string, string> => {
  const isScript = path.startsWith('/_next/');
  const headers = !isScript ? DATA_HEADERS : isDevelopment ? COMMON_HEADERS : SCRIPT_HEADERS;
  return isTls ? { ...headers, ...STRICT_TRANSPORT } : headers;
};
