import { beforeAll } from 'vitest';
import type { ServiceLog } from '@/service/log';
import type { ServiceOptions } from '@/service/context';
import { createService, type Service } from '@/service/service';
import { CARRIER, OTHER_CARRIER } from './vehicles';
import { createTestStore } from './store';

export interface Credentials {
  apiKey: string;
  providerToken: string;
}

/** A log that keeps its lines. */
export const createTestLog = () => {
  const lines: { level: string; fields: object; message: string }[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message });
  const log: ServiceLog = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  return { log, lines };
};

export const toHeaders = ({ apiKey, providerToken }: Credentials): Record<string, string> => ({
  'x-api-key': apiKey,
  'provider-token': providerToken,
});

/** A service in process with two carriers, and a key for each. */
export const createTestService = (options: Partial<ServiceOptions> = {}) => {
  const stored = createTestStore();
  const { log, lines } = createTestLog();
  const context = {
    stored,
    lines,
    service: null as unknown as Service,
    own: null as unknown as Credentials,
    other: null as unknown as Credentials,
    /** Sends a request with the carrier's own key, unless other headers are given. */
    ask: (path: string, headers: Record<string, string> = toHeaders(context.own), method = 'GET') =>
      context.service.fetch(new Request(`http://service.test${path}`, { method, headers })),
  };
  beforeAll(async () => {
    await stored.store.carriers.upsert(CARRIER);
    await stored.store.carriers.upsert(OTHER_CARRIER);
    context.own = await stored.store.keys.create({ usdot: CARRIER.usdot, name: 'own' });
    context.other = await stored.store.keys.create({ usdot: OTHER_CARRIER.usdot, name: 'other' });
    context.service = createService({ store: stored.store, now: stored.now, log, ...options });
  });
  return context;
};
