/** Tests and what only they use may reach anything but each other's files. */
const TEST = '[.]test[.]tsx?$|^(testing|scripts|e2e|bench)/';
const OURS = '^(app|components|lib|server|service|scripts|testing|e2e|bench)/';
const SERVER_ONLY = 'node_modules/server-only/';
/** Arithmetic on what it is given: no clock, no I/O, no React. */
const PURE = '^lib/(gazetteer|identity|motion|roads|table-files|view|wire)/';
/** Shared by everything: lib/base/clock.ts imports nothing. */
const CLOCK = '^lib/clock[.]ts$';
/** What a browser keeps: it imports nothing, and gives nothing on a server. */
const STORED = '^lib/browser/stored[.]ts$';
/** One folder for each thing a user manages or reads. */
const FEATURE =
  '^lib/(alerts|api-keys|audit|auth|devices|fleets|handover|history|map|notes|profile|roster|settings|sites|status|tags|users|views|wall-screens)/';

/** One rule for a folder: which of our own folders it may import. */
const may = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to: { path: OURS, pathNot: [from, ...allowed] },
});

/** One rule for a component folder: which component folders it may import besides itself. */
const layer = (folder, below, comment, name = folder) => ({
  name: `components-${name}`,
  comment,
  severity: 'error',
  from: { path: `^components/(${folder})/`, pathNot: TEST },
  to: { path: '^components/', pathNot: [`^components/$1/`, ...below.map((each) => `^components/${each}/`)] },
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
      name: 'wire-knows-only-itself',
      comment:
        'lib/wire is the live encoding; both sides read it, and the browser loads it before it shows a map.',
      severity: 'error',
      from: { path: '^lib/wire/', pathNot: TEST },
      to: { pathNot: '^lib/wire/' },
    },
    may(
      'motion-is-pure',
      '^lib/motion/',
      ['^lib/wire/(units|status)[.]ts$'],
      'lib/motion is arithmetic: pass what it needs as an argument.',
    ),
    may(
      'identity-is-pure',
      '^lib/identity/',
      ['^lib/wire/units[.]ts$'],
      'lib/identity judges VINs, plates, carrier numbers and credentials from their text alone.',
    ),
    may(
      'roads-is-data',
      '^lib/roads/',
      ['^lib/motion/', '^lib/wire/units[.]ts$'],
      'lib/roads is the table of interstates and arithmetic along it.',
    ),
    may(
      'gazetteer-is-pure',
      '^lib/gazetteer/',
      ['^lib/(motion|wire)/', '^lib/view/fold[.]ts$'],
      'lib/gazetteer names a position from a table that it is given.',
    ),
    may(
      'view-is-pure',
      '^lib/view/',
      ['^lib/(wire|motion|identity)/', STORED],
      'lib/view selects, sorts and labels a fleet for the screen; it knows no React and no server.',
    ),
    may(
      'tracking-is-the-client',
      '^lib/tracking/',
      ['^lib/(identity|motion|wire)/', CLOCK],
      'lib/tracking is the client of the tracking API and knows nothing of feeds.',
    ),
    {
      name: 'messages-load-after-the-start',
      comment:
        'These libraries cost 150 ms and 18 MB: import() them where the first job or message needs them.',
      severity: 'error',
      from: { pathNot: TEST },
      to: {
        path: 'node_modules/(pg-boss|standardwebhooks|web-push)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'lib-is-below-the-composition',
      comment: 'Only server/ knows both halves: take what is needed of the service as an interface.',
      severity: 'error',
      from: { path: '^lib/', pathNot: TEST },
      to: { path: '^(app|components|server|service)/' },
    },
    may(
      'process-is-below-all',
      '^lib/process/',
      [],
      'lib/process is what every process of Linehaul starts with (settings, signals, lock files): plain Node.js.',
    ),
    may(
      'postgres-is-shared',
      '^lib/postgres/',
      ['^lib/process/'],
      'lib/postgres opens databases for the application and for the service: it knows neither of them.',
    ),
    {
      name: 'service-stands-alone',
      comment:
        'service/ is the tracking API: it shares pure folders, lib/postgres and lib/process with the application.',
      severity: 'error',
      from: { path: '^service/', pathNot: [TEST, '^service/main[.]ts$'] },
      to: { path: OURS, pathNot: ['^service/', PURE, CLOCK, '^lib/(postgres|process)/'] },
    },
    {
      name: 'service-records-a-past',
      comment: '`simulate --history` alone loads the application, and only when it is used.',
      severity: 'error',
      from: { path: '^service/main[.]ts$' },
      to: {
        path: OURS,
        pathNot: ['^service/', PURE, CLOCK, '^lib/(postgres|process)/', '^server/service/demo-past[.]ts$'],
      },
    },
    {
      name: 'feature-through-its-public-files',
      comment:
        "A feature's queries and text are for the browser: its server/ folder and other features' servers import schema files.",
      severity: 'error',
      from: { path: '^lib/[^/]+/server/', pathNot: TEST },
      to: { path: `${FEATURE}queries[.]ts$` },
    },
    {
      name: 'browser-never-reaches-server',
      comment:
        'Nothing that the browser loads may reach a server-only file, at any depth. Types it needs live in a schema.',
      severity: 'error',
      from: { path: `^components/|^lib/browser/|${FEATURE}[^/]+[.]tsx?$`, pathNot: TEST },
      to: { path: SERVER_ONLY, reachable: true },
    },
    {
      name: 'browser-imports-our-zod',
      comment:
        'Import z from lib/zod: there it is kept from trying eval, which the policy of the pages forbids.',
      severity: 'error',
      from: { path: `^components/|^lib/browser/|${FEATURE}[^/]+[.]tsx?$`, pathNot: TEST },
      to: { path: 'node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-are-client',
      comment: 'Components read queries, schemas and pure folders; the rest is reached through app/.',
      severity: 'error',
      from: { path: '^components/', pathNot: TEST },
      to: {
        path: '^(app|server|service|scripts|testing|e2e|bench)/|^lib/(config|http|live|ops|postgres|tracking)/|^lib/[^/]+/server/',
      },
    },
    layer('ui', [], 'ui holds shared controls that know no feature: pass what they need as props.'),
    layer(
      'layout',
      ['ui'],
      'layout is the shell, the navigation and the page frames: app/ puts a page into them.',
    ),
    layer(
      'fleet-state',
      ['ui'],
      'fleet-state is the fleet, the view and the freshness that components read.',
    ),
    layer('map', ['ui', 'fleet-state'], 'map draws what it is given; the live screen connects it.'),
    layer('trail', ['map'], 'trail draws where a truck was, moment by moment, on a map of any page.'),
    layer(
      'notes|tags|views',
      ['ui', 'layout', 'fleet-state', 'admin'],
      'What people keep of units and views: the list, the panel and the page of a vehicle show it.',
      'kept-by-people',
    ),
    layer(
      'getting-started|list|panel|past',
      ['ui', 'layout', 'fleet-state', 'map', 'notes', 'tags', 'views'],
      'The parts of the live screen do not import each other.',
      'parts-of-the-live-screen',
    ),
    layer('admin', ['ui', 'layout'], 'admin is what the pages of managers share; it knows none of them.'),
    layer(
      'alert-bell',
      ['ui', 'layout', 'fleet-state', 'admin'],
      'alert-bell is how alerts reach a person on any page of a fleet: bell, sound, notifications, and the choice of them.',
    ),
    layer(
      'fleet-shell',
      ['ui', 'layout', 'fleet-state', 'past', 'alert-bell'],
      "fleet-shell is the frame of a fleet's pages: bar, rail, notices; it knows none of them.",
    ),
    layer(
      'api-keys|audit|devices|fleet-source|profile|settings|sign-in|status|users|wall-screens',
      ['ui', 'layout', 'admin'],
      'A page imports no other page: move what two of them share to admin, layout or ui.',
      'admin-pages',
    ),
    layer(
      'alerts',
      ['ui', 'layout', 'fleet-state', 'admin', 'fleet-shell', 'alert-bell'],
      'alerts is the page of alerts, their rules and webhooks: move what other pages need to a folder below.',
    ),
    layer(
      'fleet|handover|help|history|roster|sites|vehicle',
      [
        'ui',
        'layout',
        'fleet-state',
        'map',
        'notes',
        'tags',
        'trail',
        'getting-started',
        'list',
        'panel',
        'past',
        'fleet-shell',
        'admin',
      ],
      'A page imports no other page: move what two of them share to a folder below.',
      'fleet-pages',
    ),
    {
      name: 'app-is-thin',
      comment: 'Pages and routes call lib/http, a feature or a component, never a client, a feed or a table.',
      severity: 'error',
      from: { path: '^app/', pathNot: TEST },
      to: { path: '^(service|scripts|testing|e2e|bench)/|^lib/(tracking|postgres)/' },
    },
    {
      name: 'app-and-tests-are-leaves',
      comment: 'Routes and tests are leaves; only the server mounts a route handler.',
      severity: 'error',
      from: { pathNot: ['^(app|server)/', TEST] },
      to: { path: '^(app|testing|e2e|bench)/|[.]test[.]tsx?$' },
    },
  ],
  required: [
    {
      name: 'server-folder-is-marked',
      comment: "Start the file with import 'server-only'.",
      severity: 'error',
      module: { path: '^lib/(tracking|live|http|ops|config|[^/]+/server)/', pathNot: TEST },
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
