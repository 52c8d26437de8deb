import 'server-only';
import { isLoopbackHost, toHostname } from '@/lib/base/http/same-origin';
import type { Clock } from '@/lib/base/clock';
import { createProbe } from '@/lib/base/probe';
import type { Viewer } from '@/lib/base/viewer';

export const DEMO_VIEWER: Viewer = {
  kind: 'demo',
  id: null,
  name: 'Demo',
  email: null,
  role: 'manager',
  usdots: null,
  tags: null,
};
/** Headers of proxies, CDNs and tunnels: one on this machine would open the demo to all of its clients. */
const FORWARDING_HEADER = new RegExp(
  `^(?:${[
    'forwarded',
    'via',
    'cdn-loop',
    'x-(?:forwarded|original|real|client|cluster|proxy|proxyuser|forwarder|remote|varnish)(?:-.+)?',
    'x-(?:scheme|request-start|rewrite-url|host|url-scheme|country-code)',
    'x-(?:azure|fd|arr|ms-proxy|amz|amzn|appengine|cloud|gfe|google|envoy|vercel|netlify|nf|sucuri|akamai|edge)-.+',
    '(?:cf|cloudfront|cdn|true|fastly|fly|akamai|tailscale|incap|do|proxy|wl-proxy|ngrok|render)-.+',
    'client-ip',
    'front-end-https',
  ].join('|')})$`,
);

export interface RequestOrigin {
  socketAddress: string | undefined;
  httpVersion: string;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Whether a request was made on this machine, to a name of this machine, without a recognizable proxy. A page of
 * another site whose name points here (DNS rebinding) has another host. Browsers use HTTP/1.1; nginx by default uses
 * HTTP/1.0 to its upstream, without any header of its own.
 */
export const isLocalRequest = ({ socketAddress, httpVersion, headers }: RequestOrigin): boolean =>
  httpVersion === '1.1' &&
  socketAddress !== undefined &&
  isLoopbackHost(socketAddress) &&
  typeof headers.host === 'string' &&
  isLoopbackHost(toHostname(headers.host)) &&
  !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));

/** How often the database is checked while the demo is open. */
const CHECK_EVERY_MS = 10_000;

/** Keeps the demo open while the database holds nothing else; once closed it stays closed. */
export const createDemoGate = (options: {
  /** False if every user signs in. */
  isEnabled: boolean;
  /** Whether there is no user and no fleet but the demo's. @throws if the database cannot be read */
  holdsOnlyDemo: () => Promise<boolean>;
  onClosed: () => Promise<void>;
  clock: Clock;
}) => {
  const { holdsOnlyDemo, onClosed, clock } = options;
  let isOpen = options.isEnabled;
  let wasChecked = false;
  // While the database cannot be read, the demo shows nothing either.
  const probe = createProbe(
    async () => {
      const isOnlyDemo = await holdsOnlyDemo();
      wasChecked = true;
      if (isOnlyDemo || !isOpen) return;
      isOpen = false;
      await onClosed();
    },
    { everyMs: CHECK_EVERY_MS, clock },
  );
  return {
    /** Whether the demo is available without sign-in, by the last check. */
    isOpen: () => isOpen,
    /** Waits for the first check; later checks run in the background. */
    check: async (): Promise<boolean> => {
      if (isOpen && !wasChecked) await probe.check();
      else if (isOpen) probe.refresh();
      return isOpen;
    },
  };
};
