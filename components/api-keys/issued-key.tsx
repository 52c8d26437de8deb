'use client';

import { Button } from '@mantine/core';
import styles from '@/components/desk/send-form.module.css';
import { SecretLine } from '@/components/desk/secret-line';
import type { IssuedKey } from '@/lib/wire/api-keys';

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
  <div className={styles.form}>
    <p>
      Copy both now: <b>they are shown this once.</b> Linehaul keeps only what it needs to recognise them.
      They belong on a server, never in a page or an app.
    </p>
    <SecretLine label="API key" text={issued.apiKey} />
    <SecretLine label="Provider token" text={issued.providerToken} />
    <SecretLine label="Try it" text={toCurl(window.location.origin, issued)} />
    <div className={styles.foot}>
      <Button onClick={onClose}>Done</Button>
    </div>
  </div>
);
