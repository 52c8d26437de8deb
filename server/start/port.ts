import { createServer } from 'node:net';
import { CommandError } from './environment';
import type { Address } from './environment';

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
