const SERVER = '^lib/(tracking|live|storage|accounts|runtime)/';
const TEST = '[.]test[.]tsx?$|^scripts/|/testing/';
const SERVER_ONLY = 'node_modules/server-only/';

/** One rule for a folder of lib/: which of our own folders it may import. */
const may = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to: { path: '^(app|components|lib|service|scripts|e2e|bench)/', pathNot: [from, ...allowed] },
});

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one idea: merge them or lift the shared part.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'wire-knows-only-zod',
      comment: 'lib/wire is what travels; both sides read it, so it may import zod and itself.',
      severity: 'error',
      from: { path: '^lib/wire/', pathNot: TEST },
      to: { pathNot: ['^lib/wire/', 'node_modules/zod/'] },
    },
    {
      name: 'motion-is-pure',
      comment: 'lib/motion is arithmetic: no clock, no I/O, no React. Pass what it needs as an argument.',
      severity: 'error',
      from: { path: '^lib/motion/', pathNot: TEST },
      to: { pathNot: ['^lib/motion/', '^lib/wire/(units|status)[.]ts$'] },
    },
    {
      name: 'identity-is-pure',
      comment: 'lib/identity judges VINs, plates and carrier numbers from their text alone.',
      severity: 'error',
      from: { path: '^lib/identity/', pathNot: TEST },
      to: { pathNot: ['^lib/identity/', '^lib/wire/units[.]ts$'] },
    },
    may(
      'view-is-pure',
      '^lib/view/',
      ['^lib/(wire|motion|identity)/'],
      'lib/view selects, sorts and words a fleet for the screen; it knows no React and no server.',
    ),
    may(
      'roads-is-data',
      '^lib/roads/',
      ['^lib/motion/', '^lib/wire/units[.]ts$'],
      'lib/roads is the table of interstates and arithmetic along it.',
    ),
    may(
      'places-is-pure',
      '^lib/places/',
      ['^lib/(motion|wire)/'],
      'lib/places names a position from a table that it is given.',
    ),
    may(
      'tracking-is-the-client',
      '^lib/tracking/',
      ['^lib/(identity|motion|wire)/'],
      'lib/tracking speaks to the tracking API and knows nothing of feeds.',
    ),
    may(
      'live-keeps-feeds',
      '^lib/live/',
      ['^lib/(tracking|motion|identity|wire)/'],
      'lib/live knows the client, the arithmetic, what a VIN says, and the wire.',
    ),
    may(
      'storage-keeps-tables',
      '^lib/storage/',
      ['^lib/wire/'],
      'lib/storage is PostgreSQL: it knows what is kept, and not what it is for.',
    ),
    may(
      'accounts-are-who-may-see',
      '^lib/accounts/',
      ['^lib/(storage|identity|wire)/'],
      'lib/accounts decides who somebody is and keeps what they did; lib/runtime asks it, and tells it of the door.',
    ),
    may(
      'queries-read-the-wire',
      '^lib/queries/',
      ['^lib/wire/'],
      'lib/queries fetches from our own server and knows only what travels.',
    ),
    may(
      'components-are-client',
      '^components/',
      ['^lib/(queries|motion|identity|wire|view|places)/'],
      'Components read queries and pure folders; anything else is reached through app/ and lib/runtime.',
    ),
    may(
      'app-goes-through-runtime',
      '^app/',
      ['^components/', '^lib/(runtime|queries|wire|identity)/'],
      'Pages and routes are thin: they ask lib/runtime, never a client, a feed or a store.',
    ),
    may(
      'service-stands-alone',
      '^service/',
      ['^lib/(motion|identity|roads)/', '^lib/wire/units[.]ts$'],
      'service/ is the vendor: it shares no code with the app but pure arithmetic.',
    ),
    {
      name: 'client-never-reaches-server',
      comment:
        'Nothing the browser loads may reach a server-only file, at any depth. Types it needs live in lib/wire.',
      severity: 'error',
      from: { path: '^(components|lib/(queries|view|places))/', pathNot: TEST },
      to: { path: SERVER_ONLY, reachable: true },
    },
    {
      name: 'only-runtime-knows-service',
      comment: 'The choice between a provider and service/ is made once, in lib/runtime.',
      severity: 'error',
      from: { pathNot: ['^(service|scripts|e2e|bench)/', '^lib/runtime/', TEST] },
      to: { path: '^service/' },
    },
    {
      name: 'nobody-imports-app-or-tests',
      comment: 'Routes and tests are leaves.',
      severity: 'error',
      from: { pathNot: ['^app/', '^e2e/', '^bench/', TEST] },
      to: { path: ['^(app|e2e|bench)/', '[.]test[.]tsx?$'] },
    },
  ],
  required: [
    {
      name: 'server-folder-is-marked',
      comment: "Start the file with import 'server-only'.",
      severity: 'error',
      module: { path: SERVER, pathNot: TEST },
      to: { path: SERVER_ONLY },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[.]next/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
