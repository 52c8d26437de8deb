import { hostname } from 'node:os';
import { readVariable } from '@/lib/base/process/environment';
import { createServer } from 'node:net';

/** The command cannot do its work; the message explains the reason to a person. */
export class CommandError extends Error {
  override name = 'CommandError';
}

interface Address {
  host: string;
  port: number;
}

/** The address to listen on; HOSTNAME is ignored where it is the machine's own name, as in containers. */
export const readAddress = (env: NodeJS.ProcessEnv, machine = hostname()): Address => {
  const port = readVariable(env, 'PORT') ?? '3000';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new CommandError(`PORT must be a whole number from 1 to 65535, not ${JSON.stringify(port)}.`);
  const host = readVariable(env, 'HOSTNAME');
  return { host: host === undefined || host === machine ? '127.0.0.1' : host, port: Number(port) };
};

/** The address to open in a browser on this machine; a wildcard address cannot be opened. */
export const toUrl = ({ host, port }: Address): string => {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
};

/** Whether no database is configured, so that Linehaul runs its own. */
export const needsOwnDatabase = (env: NodeJS.ProcessEnv): boolean =>
  readVariable(env, 'DATABASE_URL') === undefined;

const REASONS: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is in use by another program. Set PORT to a free one.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOSTNAME is ${host}, which is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOSTNAME is ${host}, which is no address of this machine.`,
};

/** @throws CommandError if the port cannot be listened on, so that nothing else is started in vain */
export const requireFreePort = async (address: Address): Promise<void> => {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject);
      server.listen(address.port, address.host, resolve);
    });
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (!reason) throw error;
    throw new CommandError(reason(address), { cause: error });
  }
  await new Promise((resolve) => server.close(resolve));
};
