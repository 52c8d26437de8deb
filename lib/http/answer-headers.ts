import 'server-only';

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  // Tile servers want to know which site asks: their policy, and why it may not be stricter.
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
};
const POLICY_HEADER = 'content-security-policy';
const toPolicy = (source: string): string =>
  `default-src ${source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/** Of everything that is neither a page nor a script. Opened by itself it loads nothing and runs nothing. */
const DATA_HEADERS = { ...COMMON_HEADERS, [POLICY_HEADER]: toPolicy("'none'") };
/** A script that is started as a worker loads what the policy of its own answer allows. */
const SCRIPT_HEADERS = { ...COMMON_HEADERS, [POLICY_HEADER]: toPolicy("'self'") };
/** A year, which is the least that browsers require of a site before they preload its policy; of this host alone. */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

/**
 * The security headers of the answer to a path, for every answer that has none of its own: pages replace the policy
 * with one that has a nonce (server/pages.ts). Scripts of a development server have no policy, because they use eval.
 */
export const toAnswerHeaders = (
  path: string,
  { isTls, isDevelopment }: { isTls: boolean; isDevelopment: boolean },
): Record<string, string> => {
  const isScript = path.startsWith('/_next/');
  const headers = !isScript ? DATA_HEADERS : isDevelopment ? COMMON_HEADERS : SCRIPT_HEADERS;
  return isTls ? { ...headers, ...STRICT_TRANSPORT } : headers;
};
