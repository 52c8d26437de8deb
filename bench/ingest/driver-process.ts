import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Promised } from './ledger';
import type { LoadPlan, LoadResult } from './load';
import type { Reporters } from './reporters';

export type Form = 'overland' | 'osmand';

export type DriverOrder =
  | { kind: 'start'; reporters: Reporters; token: string }
  | { kind: 'load'; form: Form; plan: LoadPlan }
  | { kind: 'read-ledger' };

export type DriverAnswer =
  { kind: 'started' } | { kind: 'result'; result: LoadResult } | { kind: 'ledger'; promised: Promised };

/** The load generator of one server, seen from the process that started it. */
export interface Driver {
  load(form: Form, plan: LoadPlan): Promise<LoadResult>;
  readLedger(): Promise<Promised>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('driver.ts', import.meta.url));

export const startDriver = async (reporters: Reporters, token: string): Promise<Driver> => {
  const child = fork(PROGRAM, [], { serialization: 'advanced' });
  const exited = once(child, 'exit');

  const ask = async <Kind extends DriverAnswer['kind']>(order: DriverOrder, expected: Kind) => {
    const answered = once(child, 'message') as Promise<[DriverAnswer]>;
    child.send(order);
    const [answer] = await Promise.race([answered, exited.then(() => [null])]);
    if (answer?.kind !== expected)
      throw new Error(`Got ${answer?.kind} of the load generator, not ${expected}.`);
    return answer as Extract<DriverAnswer, { kind: Kind }>;
  };

  await ask({ kind: 'start', reporters, token }, 'started');
  return {
    load: async (form, plan) => (await ask({ kind: 'load', form, plan }, 'result')).result,
    readLedger: async () => (await ask({ kind: 'read-ledger' }, 'ledger')).promised,
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};
