import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LedgerTotals } from './ledger';
import type { LoadPlan, LoadResult } from './load';
import type { Reporters } from './reporters';

export type Form = 'overland' | 'osmand';

export type DriverRequest =
  | { kind: 'start'; reporters: Reporters; token: string }
  | { kind: 'load'; form: Form; plan: LoadPlan }
  | { kind: 'read-ledger' };

export type DriverResponse =
  | { kind: 'started' }
  | { kind: 'result'; result: LoadResult }
  | { kind: 'ledger'; totals: LedgerTotals };

/** The load generator of one server, seen from the process that started it. */
export interface Driver {
  load(form: Form, plan: LoadPlan): Promise<LoadResult>;
  readLedger(): Promise<LedgerTotals>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('driver.ts', import.meta.url));

export const startDriver = async (reporters: Reporters, token: string): Promise<Driver> => {
  const child = fork(PROGRAM, [], { serialization: 'advanced' });
  const exited = once(child, 'exit');

  const request = async <Kind extends DriverResponse['kind']>(message: DriverRequest, expected: Kind) => {
    const answered = once(child, 'message') as Promise<[DriverResponse]>;
    child.send(message);
    const [answer] = await Promise.race([answered, exited.then(() => [null])]);
    if (answer?.kind !== expected)
      throw new Error(`Got ${answer?.kind} of the load generator, not ${expected}.`);
    return answer as Extract<DriverResponse, { kind: Kind }>;
  };

  await request({ kind: 'start', reporters, token }, 'started');
  return {
    load: async (form, plan) => (await request({ kind: 'load', form, plan }, 'result')).result,
    readLedger: async () => (await request({ kind: 'read-ledger' }, 'ledger')).totals,
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};
