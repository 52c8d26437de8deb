import { Agent, get } from 'node:http';
import type { RunningServer } from './servers';
import type { Registration } from './database';

export interface UnitsAnswer {
  status: number;
  etag: string;
  /** As transferred, compressed. */
  bytes: Buffer;
  /** From the request to the last byte. */
  ms: number;
}

const agent = new Agent({ keepAlive: true });

/** GET /api/units/:usdot, compressed by gzip and not unpacked here; with an entity tag when one is held. */
export const readUnits = (
  { port }: RunningServer,
  { usdot, apiKey, providerToken }: Registration,
  heldEtag = '',
): Promise<UnitsAnswer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = {
      'accept-encoding': 'gzip',
      'x-api-key': apiKey,
      'provider-token': providerToken,
      ...(heldEtag && { 'if-none-match': heldEtag }),
    };
    get({ agent, port, host: '127.0.0.1', path: `/api/units/${usdot}`, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: answered } = response;
        const ms = performance.now() - startedAt;
        resolve({ status: statusCode, etag: answered.etag ?? '', bytes: Buffer.concat(chunks), ms });
      });
    }).on('error', reject);
  });
