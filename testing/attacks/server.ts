import { vi } from 'vitest';
import { PASSWORD, signIn, usersOf } from '@/testing/auth/sign-in';
import { parseEnv } from '@/lib/config/env';
import { UNKNOWN_CONTEXT, readRuntime } from '@/server/runtime';
import { toProblemResponse } from '@/lib/access/respond';
import { systemClock } from '@/lib/base/clock';
import { createRequestChecks } from '@/server/http/request-checks';
import { openRuntime } from '@/server/open-runtime';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import type { Role } from '@/lib/base/viewer';
import { createTestDatabase, type TestDatabase } from '@/testing/database';

export const ORIGIN = 'http://fleet.test:3000';
export const OWN = '9100001';
export const OTHER = '9100002';

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

/** The application's routes in this process, with a separate database and two providers. */
export interface AttackedServer {
  databaseUrl: string;
  /** The rows of one statement. */
  query: TestDatabase['query'];
  /** Of the fleets OWN and OTHER. */
  providers: [FaultyProvider, FaultyProvider];
  /** Creates a user and signs in; returns the session cookie and the user's id. */
  signInAs: (name: string, role: Role, usdots: string[] | null) => Promise<{ id: string; cookie: string }>;
  /** Calls a route handler; `params` are the parts of the path as Next.js decodes them. */
  ask: (
    handler: Handler,
    path: string,
    asked?: { params?: Record<string, string>; init?: RequestInit; cookie?: string },
  ) => Promise<{ status: number; text: string; headers: Headers }>;
  close: () => Promise<void>;
}

const startProviders = async (): Promise<[FaultyProvider, FaultyProvider]> => [
  await startFaultyProvider({ account: { companyName: 'Own', companyId: 'own', usdot: OWN } }),
  await startFaultyProvider({ account: { companyName: 'Other', companyId: 'other', usdot: OTHER } }),
];

/**
 * Starts it, with further settings; with `isEmbedded` over the embedded service in place of providers, with
 * sign-in required.
 */
export const startAttackedServer = async ({
  isEmbedded = false,
  variables = {} as Record<string, string>,
} = {}): Promise<AttackedServer> => {
  const database = await createTestDatabase();
  const providers = await startProviders();
  const [own, other] = providers;
  const stubbed = {
    DATABASE_URL: database.databaseUrl,
    AUTH_SECRET: 'signs-the-sessions-of-the-attacked-server',
    ACCOUNTS: 'required',
    CLIENT_REQUESTS_PER_S: '0',
    DEMO_UNITS: '2',
    // The tests compare the whole database before and after an attack.
    RECORD_INTERVAL_MS: 'off',
    ...(isEmbedded
      ? {}
      : {
          ...own.variables,
          TRACKING_USDOT: OWN,
          TRACKING_2_BASE_URL: other.baseUrl,
          TRACKING_2_API_KEY: other.credentials.apiKey,
          TRACKING_2_PROVIDER_TOKEN: other.credentials.providerToken,
          TRACKING_2_USDOT: OTHER,
        }),
    ...variables,
  };
  for (const [name, value] of Object.entries(stubbed)) vi.stubEnv(name, value);
  await openRuntime(parseEnv(process.env), fetch);
  const runtime = readRuntime();
  const checks = createRequestChecks(runtime.env, systemClock);
  /** As server/http/http-server.ts does before it calls the handler. */
  const refuse = ({ method, url, headers }: Request): Response | null => {
    const { pathname, search } = new URL(url);
    try {
      checks.check({ method, url: pathname + search, headers: Object.fromEntries(headers) }, UNKNOWN_CONTEXT);
      return null;
    } catch (error) {
      return toProblemResponse(error);
    }
  };
  await runtime.start();
  return {
    databaseUrl: database.databaseUrl,
    query: database.query,
    providers,
    signInAs: async (name, role, usdots) => {
      const email = `${name}@carrier.test`;
      const { id } = await usersOf(runtime).create({
        name,
        email,
        role,
        usdots,
        password: PASSWORD,
      });
      return { id, cookie: await signIn(runtime, email) };
    },
    ask: async (handler, path, { params = {}, init = {}, cookie } = {}) => {
      const request = new Request(`${ORIGIN}${path}`, init);
      if (cookie !== undefined) request.headers.set('cookie', cookie);
      const response =
        refuse(request) ?? (await handler(request, { params: Promise.resolve(params as never) }));
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
    close: async () => {
      await runtime.close();
      await Promise.all([...providers.map((provider) => provider.close()), database.drop()]);
      vi.unstubAllEnvs();
    },
  };
};
