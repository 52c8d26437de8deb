import 'server-only';
import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '@/lib/base/http/same-origin';

interface Listening {
  publicUrl: string | null;
  hostname: string;
  port: number;
}

const WILDCARDS = ['0.0.0.0', '::'];

/** The origins at which phones may reach this server, the likeliest first; none where it listens for its own machine alone. */
export const listPhoneOrigins = (
  { publicUrl, hostname, port }: Listening,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string[] => {
  const isPublic = publicUrl !== null && !isLoopbackHost(new URL(publicUrl).hostname);
  if (isPublic) return [new URL(publicUrl).origin];
  if (isLoopbackHost(hostname)) return [];
  const hosts = WILDCARDS.includes(hostname)
    ? Object.values(interfaces)
        .flatMap((addresses) => addresses ?? [])
        .filter(({ internal, family }) => !internal && family === 'IPv4')
        .map(({ address }) => address)
    : [hostname.includes(':') ? `[${hostname}]` : hostname];
  return hosts.map((host) => `http://${host}:${port}`);
};
