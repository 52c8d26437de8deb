import { openStore } from '@/service/store/store';
import { CARRIER, toFix } from './vehicles';

/**
 * A process that records fixes of device 1, one per second of its own time, and prints each acknowledged one.
 */
const store = await openStore({ databaseUrl: process.argv[2] ?? '', now: Date.now });
for (let second = 1; ; second++) {
  const { unknownDevices } = await store.fixes.record(CARRIER.usdot, [toFix(1, second * 1000)]);
  if (unknownDevices.length > 0) throw new Error(`Got the unknown devices ${unknownDevices.join(', ')}.`);
  process.stdout.write(`${second}\n`);
}
