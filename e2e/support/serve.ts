/** Started by Playwright: `serve.ts TARGET` runs one target on fresh data until it is told to end. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { untilAborted, watchSignals } from '@/server/start/signals';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from '@/testing/scratch';
import { providePorts } from './ports';
import { askCommandLine, startProgram, stopProgram, waitForAnswer } from './programs';
import type { Variables } from './programs';
import { signInAsManager } from './session';
import { clearTarget, isTargetName, logFile, writeTarget } from './target';
import type { TargetName } from './target';

const SCRATCH = 'linehaul-e2e-';

/** All that could be logged is, so that a test finds a secret among it. */
const LOUD: Variables = { LOG_LEVEL: 'debug' };

/** Quick polls, so that a test sees a unit move soon; no tiles, which would come from somebody else's server. */
const APP_VARIABLES: Variables = { ...LOUD, POLL_INTERVAL_MS: '2000', MAP_TILES_URL: 'none' };

interface Secrets {
  apiKey: string;
  providerToken: string;
  ingestToken: string;
}

interface Stage {
  /** What every program of the target is given: where its data lies. */
  variables: Variables;
  /** What was started, last first. */
  programs: ChildProcess[];
  /** Another data folder, which goes with the target. */
  createFolder: () => string;
}

const createSecrets = async (variables: Variables): Promise<Secrets & { usdot: string }> => {
  const [carrier] = await askCommandLine<{ usdot: string }[]>(['carriers', 'list'], variables);
  if (!carrier) throw new Error('The service has no carrier, when its demo should have put one there.');
  const { usdot } = carrier;
  const owner = ['--usdot', usdot, '--name', 'end-to-end tests'];
  const [{ apiKey, providerToken }, { token }] = await Promise.all([
    askCommandLine<Secrets>(['keys', 'create', ...owner], variables),
    askCommandLine<{ token: string }>(['tokens', 'create', ...owner], variables),
  ]);
  return { usdot, apiKey, providerToken, ingestToken: token };
};

const start = async (
  { programs }: Stage,
  script: string,
  args: string[],
  variables: Variables,
  { url, log }: { url: string; log: string },
): Promise<void> => {
  const program = startProgram(script, args, variables, log);
  programs.unshift(program);
  await waitForAnswer(url, program, log);
};

const startEmbedded = async (stage: Stage): Promise<void> => {
  const appUrl = `http://127.0.0.1:${(await providePorts()).embedded}`;
  const log = logFile('embedded', 'app');
  const variables = { ...stage.variables, ...APP_VARIABLES, PORT: new URL(appUrl).port };
  await start(stage, 'start', [], variables, { url: `${appUrl}/api/health`, log });
  const secrets = await createSecrets(stage.variables);
  writeTarget({
    name: 'embedded',
    appUrl,
    trackingUrl: `${appUrl}/tracking`,
    ...secrets,
    cookie: '',
    logFiles: [log],
  });
};

const startExternal = async (stage: Stage): Promise<void> => {
  const ports = await providePorts();
  const appUrl = `http://127.0.0.1:${ports.external}`;
  const trackingUrl = `http://127.0.0.1:${ports.service}`;
  const serviceLog = logFile('external', 'service');
  const serveArgs = ['serve', '--demo', '--port', String(ports.service)];
  await start(stage, 'service', serveArgs, stage.variables, {
    url: `${trackingUrl}/openapi.json`,
    log: serviceLog,
  });
  const secrets = await createSecrets(stage.variables);
  const log = logFile('external', 'app');
  const variables = {
    ...APP_VARIABLES,
    LINEHAUL_DATA_DIR: stage.createFolder(),
    PORT: String(ports.external),
    TRACKING_BASE_URL: trackingUrl,
    TRACKING_API_KEY: secrets.apiKey,
    TRACKING_PROVIDER_TOKEN: secrets.providerToken,
  };
  await start(stage, 'start', [], variables, { url: `${appUrl}/api/health`, log });
  const cookie = await signInAsManager(appUrl, () => readFileSync(log, 'utf8'));
  writeTarget({ name: 'external', appUrl, trackingUrl, ...secrets, cookie, logFiles: [log, serviceLog] });
};

const STARTS: Record<TargetName, (stage: Stage) => Promise<void>> = {
  embedded: startEmbedded,
  external: startExternal,
};

const serve = async (name: TargetName): Promise<void> => {
  const signal = watchSignals();
  clearTarget(name);
  await sweepScratchFolders(SCRATCH);
  const folders: string[] = [];
  const createFolder = (): string => {
    const folder = createScratchFolder(SCRATCH);
    folders.push(folder);
    return folder;
  };
  const variables = { ...LOUD, LINEHAUL_DATA_DIR: createFolder() };
  const stage: Stage = { variables, programs: [], createFolder };
  try {
    await STARTS[name](stage);
    process.stdout.write(`The ${name} target is ready.\n`);
    await untilAborted(signal);
  } finally {
    for (const program of stage.programs) await stopProgram(program);
    for (const folder of folders) await removeScratchFolder(folder);
  }
};

const [name = ''] = process.argv.slice(2);
if (!isTargetName(name)) throw new Error(`No target is named ${JSON.stringify(name)}.`);
await serve(name);
