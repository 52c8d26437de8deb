/**
 * Preloaded into a server under test by NODE_OPTIONS, and so into each of its threads: its wall clock is ahead by as
 * many milliseconds as the file SET_CLOCK_FILE says. Timers and clocks that nobody sets run on as they are, as on a
 * machine whose clock is set. The database, a program of its own, keeps the machine's.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- a thread preloads what is required, and no module */
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

// Node.js writes the header Date by a clock that was kept from before.
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function writeHeadByClock(...given) {
  if (this.sendDate && !this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
  return writeHead.apply(this, given);
};
