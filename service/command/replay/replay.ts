import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { checkDigit } from '@/lib/identity/vin';
import type { Store } from '../../store/store';
import { type ReplayFix, UnknownRecordingError, parseRecording, type Recording } from './recording';
import { readFile } from 'node:fs/promises';
import {
  parseArguments,
  requireUsdot,
  toBaseUrl,
  toInteger,
  CommandFailure,
  CommandUsageError,
  type Command,
  type CommandContext,
  toCount,
  print,
  readIngestToken,
  requireValid,
  type Run,
  withStore,
  withTemporaryToken,
} from '../command';
import { replayRecording, toSummaryLines, type ReplaySummary } from './run';

/**
 * Gives each device of a recording that the carrier does not know a vehicle with a made-up VIN, and makes the carrier
 * itself where it is missing. Answers how many vehicles were added.
 */
export const registerDevices = async (
  { carriers, vehicles }: Store,
  usdot: string,
  file: string,
  fixes: ReplayFix[],
): Promise<number> => {
  if ((await carriers.read(usdot)) === null) {
    await carriers.upsert({
      usdot,
      companyName: `Recording ${basename(file)}`,
      companyId: `recording-${usdot}`,
    });
  }
  const known = new Set((await vehicles.list(usdot)).map(({ deviceId }) => deviceId));
  const deviceIds = [...new Set(fixes.map(({ deviceId }) => deviceId))].filter(
    (deviceId) => !known.has(deviceId),
  );
  await vehicles.upsertMany(
    deviceIds.map((deviceId) => ({
      usdot,
      vin: toMadeUpVin(`${usdot}/${deviceId}`),
      truckNumber: deviceId,
      deviceId,
    })),
  );
  return deviceIds.length;
};

/** 1Z9 belongs to no maker: a third character of 9 marks makers of few vehicles, identified by further characters. */
const MAKER = '1Z9';

/** Letters and digits that may stand anywhere in a VIN, also for the model year. */
const ANYWHERE = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const DIGITS = '0123456789';

/** A VIN that no vehicle has, with the right check digit; the same text always gives the same one. */
export const toMadeUpVin = (text: string): string => {
  const hash = createHash('sha256').update(text).digest();
  const pick = (alphabet: string, from: number, count: number) =>
    [...hash.subarray(from, from + count)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  const descriptor = MAKER + pick(ANYWHERE, 0, 5);
  const identifier = pick(ANYWHERE, 5, 2) + pick(DIGITS, 7, 6);
  return descriptor + checkDigit(`${descriptor}0${identifier}`) + identifier;
};

const DEFAULT_CONCURRENCY = 64;

const readOptions = (argv: string[], context: CommandContext) => {
  const { options, args } = parseArguments(
    argv,
    {
      url: 'text',
      token: 'text',
      protocol: 'text',
      shift: 'text',
      pace: 'text',
      concurrency: 'text',
      register: 'flag',
      usdot: 'text',
      json: 'flag',
    },
    ['The CSV file'],
  );
  const token = readIngestToken(options.token, context);
  const isRegistering = options.register ?? false;
  const usdot = options.usdot === undefined ? undefined : requireUsdot(options.usdot);
  if (isRegistering && usdot === undefined)
    throw new CommandUsageError('--register needs the carrier: --usdot USDOT.');
  if (!token && usdot === undefined) {
    throw new CommandUsageError(
      'Say --token TOKEN or set LINEHAUL_INGEST_TOKEN; or say --usdot USDOT, and a token is made for the time of the replay.',
    );
  }
  const pace = toPace(options.pace ?? 'max');
  return {
    file: args[0]!,
    baseUrl: toBaseUrl(options.url),
    token,
    // A request for each fix is what trackers send; at full pace it would measure little but the requests.
    protocol: requireOneOf(options.protocol ?? (pace === Infinity ? 'overland' : 'osmand'), 'protocol', [
      'osmand',
      'overland',
    ]),
    shift: requireOneOf(options.shift ?? 'end', 'shift', ['end', 'start', 'none']),
    pace,
    concurrency: toInteger(options.concurrency, 'concurrency', {
      min: 1,
      max: 1000,
      fallback: DEFAULT_CONCURRENCY,
    }),
    usdot,
    isRegistering,
    isJson: options.json ?? false,
  };
};

const requireOneOf = <Name extends string>(value: string, option: string, known: readonly Name[]): Name =>
  requireValid(known.find((each) => each === value) ?? null, `--${option}`, known.join(' or '), value);

const toPace = (value: string): number => {
  const pace = value === 'max' ? Infinity : Number(value);
  const isPace = pace > 0 && (Number.isFinite(pace) || value === 'max');
  return requireValid(isPace ? pace : null, '--pace', 'max or a number above 0', value);
};

const readRecording = async (file: string): Promise<Recording> => {
  try {
    return parseRecording(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof UnknownRecordingError)
      throw new CommandFailure(`${file}: ${error.message}`, { cause: error });
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

const run: Run = async (argv, context) => {
  const options = readOptions(argv, context);
  const recording = await readRecording(options.file);
  context.stderr(
    `${options.file}: ${toCount(recording.fixes.length, 'fix', 'fixes')} (${recording.format}).`,
  );
  const summary = await replay(recording, options, context);
  print(context, options.isJson, summary, toSummaryLines(summary));
  return summary.unsent > 0 ? 1 : 0;
};

/** Replays with the given token, or with one that lives for the time of the replay. */
const replay = (
  recording: Recording,
  options: ReturnType<typeof readOptions>,
  context: CommandContext,
): Promise<ReplaySummary> => {
  const { usdot, token, isRegistering, file } = options;
  if (token && !isRegistering) return replayRecording(recording, { ...options, token }, context);
  return withStore(context, async (store) => {
    const vehiclesAdded = isRegistering ? await registerDevices(store, usdot!, file, recording.fixes) : 0;
    const run = async (held: string): Promise<ReplaySummary> => {
      const summary = await replayRecording(recording, { ...options, token: held }, context);
      return { ...summary, vehiclesAdded };
    };
    return token ? run(token) : withTemporaryToken(store, usdot!, 'replay', run);
  });
};

export const replayCommand: Command = {
  summary: 'Feed a recorded CSV through ingest, as its devices would',
  usage: [
    'replay FILE.csv --usdot USDOT --register [--url URL] [--pace max|N] [--shift end|start|none]',
    'replay FILE.csv --token TOKEN [--url URL] [--protocol osmand|overland] [--concurrency N] [--json]',
  ],
  details: [
    'The header of the file determines its format; docs/ingest.md lists the columns.',
    '  --url URL            the service, or where an application has it mounted (default: http://127.0.0.1:4000)',
    '  --token TOKEN        the ingest token; better kept in LINEHAUL_INGEST_TOKEN',
    '  --usdot USDOT        the carrier of the devices; without a token, one is made and revoked at the end',
    '  --register           add a vehicle with a made-up VIN for each device that is not on the roster',
    '  --pace N             N recorded seconds pass in one; max (default) sends as fast as it is taken',
    '  --shift end          the newest fix is of the moment when it is sent (default)',
    '  --shift start        the first fix is of the moment when it is sent',
    '  --shift none         the times stay as they were recorded',
    '  --protocol NAME      osmand sends a request for each fix (default at a pace), overland batches by device (default',
    '                       at full pace)',
    `  --concurrency N      requests under way at once (default: ${DEFAULT_CONCURRENCY})`,
    'Rows that cannot be read or that the service refuses are counted and named by line; the replay goes on.',
  ],
  run,
};
