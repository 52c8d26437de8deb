/** The load generator: a process of its own for each server, which receives what to send from its parent. */
import { createLedger } from './ledger';
import { runLoad } from './load';
import { createReports } from './reports';
import type { DriverAnswer, DriverOrder } from './driver-process';
import type { Ledger } from './ledger';

let reports: ReturnType<typeof createReports> | null = null;
let ledger: Ledger | null = null;

const obey = async (order: DriverOrder): Promise<DriverAnswer> => {
  if (order.kind === 'start') {
    reports = createReports(order.reporters, order.token);
    ledger = createLedger(order.reporters.deviceIds.length);
    return { kind: 'started' };
  }
  if (reports === null || ledger === null) throw new Error(`Got the order ${order.kind} before start.`);
  if (order.kind === 'read-ledger') return { kind: 'ledger', promised: ledger.read() };
  return { kind: 'result', result: await runLoad(order.plan, reports[order.form], ledger) };
};

process.on('message', (order: DriverOrder) => {
  void obey(order).then((answer) => process.send!(answer));
});
process.on('disconnect', () => process.exit(0));
