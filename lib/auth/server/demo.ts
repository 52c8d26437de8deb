import 'server-only';
import type { Viewer } from '@/lib/auth/viewer';

/** Who opens the embedded demo on its own machine. */
export const DEMO_VIEWER: Viewer = {
  kind: 'demo',
  id: null,
  name: 'Demo',
  email: null,
  role: 'manager',
  usdots: null,
};

const LOOPBACK_IPV4 = /^(::ffff:)?127(\.\d{1,3}){3}$/i;
/**
 * Headers by which proxies, load balancers, CDNs and tunnels pass on where a request came from, or that they handled it:
 * a proxy on this machine would otherwise open the demo to every client of the proxy.
 */
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

/** Whether a host, without its port, is this machine and can be reached from no other. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || LOOPBACK_IPV4.test(host);

/** "host:port" without its port. */
export const toHostname = (host: string): string => host.replace(/:\d{1,5}$/, '').toLowerCase();

/** What of a request tells where it came from. */
export interface RequestOrigin {
  socketAddress: string | undefined;
  httpVersion: string;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Whether a request was made on this machine, to a name of this machine, and came through no proxy that can be
 * recognized. A page of another site whose name was pointed here (DNS rebinding) has another host. Browsers speak
 * HTTP/1.1; HTTP/1.0 is what nginx speaks to a server behind it by default, without any header of its own.
 */
export const isLocalRequest = ({ socketAddress, httpVersion, headers }: RequestOrigin): boolean =>
  httpVersion === '1.1' &&
  socketAddress !== undefined &&
  isLoopbackHost(socketAddress) &&
  typeof headers.host === 'string' &&
  isLoopbackHost(toHostname(headers.host)) &&
  !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));

/** How often the database is looked at while the demo is open. */
const CHECK_EVERY_MS = 10_000;

/** Whether the demo may open without signing in. */
export interface DemoGate {
  /** As last checked. */
  isOpen: () => boolean;
  /** Checks first where that was never done; later checks run beside the request. */
  check: () => Promise<boolean>;
}

/**
 * Keeps the demo open for as long as the database holds nothing but the demo. Once it has been closed it stays closed: a
 * user or a fleet of one's own is not given away because it is removed again.
 */
export const createDemoGate = (options: {
  /** False where everybody signs in anyway. */
  isWanted: boolean;
  /** Whether there is neither a user nor a fleet but the demo's. @throws where the database cannot be read */
  holdsOnlyDemo: () => Promise<boolean>;
  onClosed: () => Promise<void>;
  elapsed: () => number;
}): DemoGate => {
  const { holdsOnlyDemo, onClosed, elapsed } = options;
  let isOpen = options.isWanted;
  let checkedAtMs: number | null = null;
  let checking: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    try {
      const isAlone = await holdsOnlyDemo();
      checkedAtMs = elapsed();
      if (isAlone || !isOpen) return;
      isOpen = false;
      await onClosed();
    } catch {
      // What cannot be read now cannot be shown either; the next request checks again.
    } finally {
      checking = null;
    }
  };

  return {
    isOpen: () => isOpen,
    check: async () => {
      if (isOpen && (checkedAtMs === null || elapsed() - checkedAtMs >= CHECK_EVERY_MS)) {
        checking ??= look();
        if (checkedAtMs === null) await checking;
      }
      return isOpen;
    },
  };
};
