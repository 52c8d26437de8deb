/**
 * Preloaded into a server under test by NODE_OPTIONS, and so into each of its threads: shifts its wall clock
 * by the milliseconds in the file SET_CLOCK_FILE. Timers and monotonic clocks are unchanged, as on a machine
 * whose clock is set. The database, a separate process, keeps the machine's clock.
 */
/* oxlint-disable typescript/no-require-imports -- a thread preloads what is required, and no module */
'use strict';
const { readFileSync } = require('node:fs');
const { ServerResponse } = require('node:http');

const RealDate = globalThis.Date;
const readMachine = RealDate.now;
const file = process.env.SET_CLOCK_FILE;
const READ_EVERY_MS = 100;
let aheadMs = 0;
let readAtMs = -Infinity;

const now = () => {
  if (performance.now() - readAtMs > READ_EVERY_MS) {
    readAtMs = performance.now();
    aheadMs = Number(readFileSync(file, 'utf8'));
  }
  return readMachine() + aheadMs;
};

RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: (target) => new target(now()).toString(),
});

// Node.js writes the Date header from a cached time.
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function writeHeadByClock(...given) {
  if (this.sendDate && !this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
  return writeHead.apply(this, given);
};
