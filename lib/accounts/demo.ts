import 'server-only';
import type { Viewer } from '@/lib/wire/viewer';

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
/** What proxies add to a request: one of them on this machine would open it to whoever may ask the proxy. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
];

/** Whether a host, without its port, is this machine and can be reached from no other. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || LOOPBACK_IPV4.test(host);

/** "host:port" without its port. */
export const toHostname = (host: string): string => host.replace(/:\d{1,5}$/, '').toLowerCase();

/**
 * Whether a request was made on this machine, to a name of this machine, and came through no proxy: a page of another
 * site whose name was pointed here (DNS rebinding) asks for another host.
 */
export const isLocalRequest = (
  socketAddress: string | undefined,
  headers: Record<string, string | string[] | undefined>,
): boolean =>
  socketAddress !== undefined &&
  isLoopbackHost(socketAddress) &&
  typeof headers.host === 'string' &&
  isLoopbackHost(toHostname(headers.host)) &&
  PROXY_HEADERS.every((name) => headers[name] === undefined);
