/** The load generator: a process of its own for each server, which receives what to send from its parent. */
import { createLedger, type Ledger } from './ledger';
import { runLoad } from './load';
import { createReports } from './reports';
import type { DriverResponse, DriverRequest } from './driver-process';

let reports: ReturnType<typeof createReports> | null = null;
let ledger: Ledger | null = null;

const handle = async (message: DriverRequest): Promise<DriverResponse> => {
  if (message.kind === 'start') {
    reports = createReports(message.reporters, message.token);
    ledger = createLedger(message.reporters.deviceIds.length);
    return { kind: 'started' };
  }
  if (reports === null || ledger === null) throw new Error(`Got the order ${message.kind} before start.`);
  if (message.kind === 'read-ledger') return { kind: 'ledger', totals: ledger.read() };
  return { kind: 'result', result: await runLoad(message.plan, reports[message.form], ledger) };
};

process.on('message', (message: DriverRequest) => {
  void handle(message).then((answer) => process.send!(answer));
});
process.on('disconnect', () => process.exit(0));
