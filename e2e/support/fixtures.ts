import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base, type WorkerInfo } from '@playwright/test';
import type { Application } from './application';
import { watchLayout } from './layout';
import { toBrowserCookie } from './session';
import {
  shareCompany,
  shareOneAccount,
  shareTwoAccounts,
  type Company,
  type OneAccount,
  type TwoAccounts,
} from './shared';
import { startTarget, type Target } from './target';

/** Reads the tracking API itself with the target's own key. */
export interface TrackingApi {
  /** GET a path such as `/api/units/9000001`. @throws Error when the answer is not a success */
  read<T>(path: string): Promise<T>;
}

/** Time for a start on a busy machine. */
const START_TIMEOUT_MS = 120_000;
const SHARED = { scope: 'worker', timeout: START_TIMEOUT_MS } as const;

const createTrackingApi = ({ trackingUrl, apiKey, providerToken }: Target): TrackingApi => ({
  async read<T>(path: string) {
    const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
    const response = await fetch(`${trackingUrl}${path}`, { headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status} when expected a success.`);
    return (await response.json()) as T;
  },
});

/** Makes the folder for the logs of a worker's applications. */
const makeFolder = ({ project, workerIndex }: WorkerInfo): string => {
  const folder = join(project.outputDir, `${project.name}-${workerIndex}`);
  mkdirSync(folder, { recursive: true });
  return folder;
};

const toStorageState = ({ url, cookie }: Application) => ({
  cookies: cookie === '' ? [] : [toBrowserCookie(url, cookie)],
  origins: [],
});

interface SharedApplications {
  target: Target;
  company: Company;
  oneAccount: OneAccount;
  twoAccounts: TwoAccounts;
}

/**
 * Playwright's test with the applications that all tests of a worker share, each of which starts when a test of the worker
 * first needs it, and with a page whose layout is watched.
 */
const withApplications = base.extend<object, SharedApplications>({
  page: async ({ page }, provide) => {
    const faults = await watchLayout(page);
    await provide(page);
    expect(faults(), 'faults of the layout').toEqual([]);
  },
  target: [
    async ({}, provide, workerInfo) => {
      const target = await startTarget(workerInfo.project.name, makeFolder(workerInfo));
      await provide(target);
      await target.stop();
    },
    SHARED,
  ],
  company: [({}, provide, workerInfo) => shareCompany(makeFolder(workerInfo), provide), SHARED],
  oneAccount: [({}, provide, workerInfo) => shareOneAccount(makeFolder(workerInfo), provide), SHARED],
  twoAccounts: [({}, provide, workerInfo) => shareTwoAccounts(makeFolder(workerInfo), provide), SHARED],
});

/** Pages open the target of the project, whose tracking API is `api`. */
export const test = withApplications.extend<{ api: TrackingApi }>({
  baseURL: ({ target }, provide) => provide(target.application.url),
  storageState: ({ target }, provide) => provide(toStorageState(target.application)),
  api: ({ target }, provide) => provide(createTrackingApi(target)),
});

/** Pages open the company's application, signed in as its manager. */
export const companyTest = withApplications.extend({
  baseURL: ({ company }, provide) => provide(company.application.url),
  storageState: ({ company }, provide) => provide(toStorageState(company.application)),
});

/** Pages open the application of one provider, signed in as its manager. */
export const oneAccountTest = withApplications.extend({
  baseURL: ({ oneAccount }, provide) => provide(oneAccount.application.url),
  storageState: ({ oneAccount }, provide) => provide(toStorageState(oneAccount.application)),
});

/** Pages open the application of two providers, signed in as its manager. */
export const twoAccountsTest = withApplications.extend({
  baseURL: ({ twoAccounts }, provide) => provide(twoAccounts.application.url),
  storageState: ({ twoAccounts }, provide) => provide(toStorageState(twoAccounts.application)),
});
export { expect } from '@playwright/test';
