'use client';

import { ShownOnce } from '@/components/ui/shown-once';
import type { IssuedKey } from '@/lib/api-keys/schema';

/** The service is mounted here in the web application. */
const TRACKING_PATH = '/tracking';

const toCurl = (origin: string, { apiKey, providerToken }: IssuedKey): string =>
  [
    `curl ${origin}${TRACKING_PATH}/api/carrier \\`,
    `  -H 'x-api-key: ${apiKey}' \\`,
    `  -H 'provider-token: ${providerToken}'`,
  ].join('\n');

/** A key's two secrets, which are shown this once. */
export const IssuedKeyView = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <ShownOnce
    texts={[
      { label: 'API key', text: issued.apiKey },
      { label: 'Provider token', text: issued.providerToken },
      { label: 'Try it', text: toCurl(window.location.origin, issued) },
    ]}
    onClose={onClose}
  >
    Copy both now: <b>they are shown this once.</b> Linehaul keeps only what it needs to recognize them. They
    belong on a server, never in a page or an app.
  </ShownOnce>
);
