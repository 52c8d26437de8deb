import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMailServer } from '@/testing/mail-server';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { startApplication, type Application } from './application';
import { findFreePorts } from '@/testing/ports';

/** An application that all tests of a worker share, and its log. */
interface Shared {
  application: Application;
  logFile: string;
}

/** The demo fleet of a company whose users sign in, and its mail server. */
export interface Company extends Shared {
  mailServer: Awaited<ReturnType<typeof startMailServer>>;
}

/** An application that reads the fleets of one provider, whose faults the tests switch. */
export interface OneAccount extends Shared {
  provider: FaultyProvider;
  /** Stops the application. */
  stop(): Promise<void>;
  /** Starts the application again, with its address and database. */
  restart(): Promise<void>;
}

/** An application that reads two providers. */
export interface TwoAccounts extends Shared {
  one: FaultyProvider;
  two: FaultyProvider;
}

export const METRICS_TOKEN = 'metrics-token-of-the-tests';

/** Of each application; secrets that a search finds in any output. */
export const ACCOUNTS = [
  {
    account: { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' },
    credentials: { apiKey: 'planted-key-one-5d21', providerToken: 'planted-token-one-77ab' },
  },
  {
    account: { companyName: 'Cedar Ridge Haulers', companyId: 'CRH-7', usdot: '9100002' },
    credentials: { apiKey: 'planted-key-two-90fe', providerToken: 'planted-token-two-c3d8' },
  },
] as const;

/** Short limits, so that each fault is over soon; the log level is the most verbose. */
const FAULTS = {
  LOG_LEVEL: 'debug',
  METRICS_TOKEN,
  TRACKING_TIMEOUT_MS: '1500',
  LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB: '1',
  LINEHAUL_TEST_TRACKING_MAX_BACKOFF_MS: '1000',
  // Longer than a user waits before the button Try now.
  LINEHAUL_TEST_TRACKING_MAX_RETRY_AFTER_MS: '60000',
  LINEHAUL_TEST_TRACKING_DOUBT_HOLD_MS: '6000',
  // A test decides when a provider is requested; the recording would request it by itself.
  RECORD_INTERVAL_MS: 'off',
};

type Provide<T> = (shared: T) => Promise<void>;

/** Sets the threshold that settings.spec.ts shortens so high that no flag is raised before. */
const raiseLate = async ({ url, cookie }: Application): Promise<void> => {
  const { ok } = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { origin: url, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ flags: { notOnRoster: { enterMs: 82_800_000, leaveMs: 360_000 } } }),
  });
  if (!ok) throw new Error('The settings of the company were refused.');
};

export const shareCompany = async (folder: string, provide: Provide<Company>): Promise<void> => {
  const mailServer = await startMailServer();
  const [port] = await findFreePorts(1);
  const logFile = join(folder, 'company.log');
  const application = await startApplication(
    {
      ACCOUNTS: 'required',
      // Enough trucks to have one of each kind to check.
      DEMO_UNITS: '200',
      FLAG_THRESHOLDS: '{"duplicateVin":{"leaveMs":30000}}',
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: 'Linehaul <fleet@carrier.test>',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // A receiver of webhooks runs on this machine.
      PRIVATE_ADDRESSES: 'allow',
    },
    logFile,
    port,
  );
  await raiseLate(application);
  await provide({ application, logFile, mailServer });
  await application.stop();
  await mailServer.close();
};

export const shareOneAccount = async (folder: string, provide: Provide<OneAccount>): Promise<void> => {
  const provider = await startFaultyProvider();
  const logFile = join(folder, 'one-account.log');
  const variables = { ...provider.variables, ...FAULTS };
  let application = await startApplication(variables, logFile);
  await provide({
    provider,
    logFile,
    get application() {
      return application;
    },
    stop: () => application.stop(),
    restart: async () => {
      const { url, databaseUrl } = application;
      const port = Number(new URL(url).port);
      application = await startApplication({ ...variables, DATABASE_URL: databaseUrl }, logFile, port);
    },
  });
  await application.stop();
  await provider.close();
};

export const shareTwoAccounts = async (folder: string, provide: Provide<TwoAccounts>): Promise<void> => {
  const one = await startFaultyProvider(ACCOUNTS[0]);
  const two = await startFaultyProvider(ACCOUNTS[1]);
  const keyFile = join(folder, 'key-of-the-second');
  writeFileSync(keyFile, `${ACCOUNTS[1].credentials.apiKey}\n`, { mode: 0o600 });
  const logFile = join(folder, 'two-accounts.log');
  const application = await startApplication(
    {
      ...one.variables,
      ...FAULTS,
      TRACKING_USDOT: ACCOUNTS[0].account.usdot,
      TRACKING_2_BASE_URL: two.baseUrl,
      TRACKING_2_API_KEY_FILE: keyFile,
      TRACKING_2_PROVIDER_TOKEN: ACCOUNTS[1].credentials.providerToken,
      TRACKING_2_USDOT: ACCOUNTS[1].account.usdot,
    },
    logFile,
  );
  await provide({ application, logFile, one, two });
  await application.stop();
  await Promise.all([one.close(), two.close()]);
};
