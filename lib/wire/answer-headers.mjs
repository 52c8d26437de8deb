/** Of every answer. Those of pages, with a nonce each, are in proxy.ts. */
export const ANSWER_HEADERS = {
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

/** Of what is under /api as well. Opened by itself it is data: it loads nothing and runs nothing. */
export const DATA_HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
