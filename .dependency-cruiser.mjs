/** Tests and what only they use may reach anything but each other's files. */
const TEST = '[.]test[.]tsx?$|^(testing|scripts|e2e|bench)/';
const OURS = '^(app|components|lib|server|service|scripts|testing|e2e|bench)/';
const SERVER_ONLY = 'node_modules/server-only/';
/**
 * The floors of lib/, from the ground up, and the folders of each in their order: a folder imports only from folders before
 * it. docs/architecture.md draws them. What a folder needs of one above it is handed to it, by server/ at last.
 */
const FLOORS = [
  ['the base: it knows nothing of trucks', ['base', 'catalog']],
  ['the world: arithmetic and tables of it', ['geo', 'identity', 'motion', 'roads']],
  [
    'the wire: what is sent to browsers, and the clients of the tracking API and of routing engines',
    ['wire', 'tracking', 'routing'],
  ],
  [
    'judgment: what a fleet shows, by rules without a clock or a database',
    ['view', 'table-files', 'gazetteer', 'trips', 'arrivals', 'rules', 'fleet'],
  ],
  [
    'storage: the databases, jobs, and what a browser keeps',
    ['database', 'jobs', 'config', 'audit', 'browser'],
  ],
  ['feeds: the live path and its recording', ['feeds', 'cluster', 'recording', 'archive', 'past']],
  [
    'features: one folder for each thing a user manages or reads',
    [
      ...[
        'access',
        'auth',
        'tags',
        'contacts',
        'users',
        'profile',
        'reports',
        'data-quality',
        'api-keys',
        'devices',
        'sites',
        'loads',
        'facilities',
        'shares',
        'customer-mails',
        'proof',
        'pickup-check',
        'alerts',
      ],
      ...['settings', 'audit-log', 'fleet-source', 'status', 'fleets', 'getting-started', 'handover', 'map'],
      ...['notes', 'ops', 'roster', 'views', 'wall-screens'],
    ],
  ],
  ['the live fleet in a browser', ['live']],
];
const FOLDERS = FLOORS.flatMap(([floor, folders]) => folders.map((folder) => ({ folder, floor })));

/** Files of the program folder by folder: the service's, from the ground up as well. */
const SERVICE = [
  ...['log', 'problem', 'store', 'answer', 'context', 'access', 'docs', 'routes', 'ingest', 'http'],
  ...['service', 'serve', 'simulator', 'demo', 'command', 'main'],
];

/** One rule for each folder of a house that has others above it. */
const toRules = (root, folders, toComment) =>
  folders.slice(0, -1).map((folder, i) => ({
    name: `${root}-${folder}`,
    comment: toComment(i),
    severity: 'error',
    from: { path: `^${root}/${folder}[./]`, pathNot: TEST },
    to: { path: `^${root}/(${folders.slice(i + 1).join('|')})[./]` },
  }));

/** Arithmetic on what it is given: no clock, no I/O, no React. */
const PURE = '^lib/(arrivals|gazetteer|geo|identity|motion|roads|table-files|trips|view|wire)/';
/** One folder for each thing a user manages or reads. */
const FEATURE = `^lib/(${[...FLOORS.at(-2)[1].filter((folder) => folder !== 'access' && folder !== 'ops'), 'past'].join('|')})/`;

/** One rule for a component folder: which component folders it may import besides itself. */
const layer = (folder, below, comment, name = folder) => ({
  name: `components-${name}`,
  comment,
  severity: 'error',
  from: { path: `^components/(${folder})/`, pathNot: TEST },
  to: { path: '^components/', pathNot: [`^components/$1/`, ...below.map((each) => `^components/${each}/`)] },
});

/** The files of server/ that Next.js bundles with pages and route handlers. */
const BUNDLED = '^server/(runtime|route|page)[.]ts$';

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
      name: 'every-folder-has-a-floor',
      comment: 'Add the folder to FLOORS, behind those that it imports.',
      severity: 'error',
      from: { path: '^lib/', pathNot: [TEST, `^lib/(${FOLDERS.map(({ folder }) => folder).join('|')})/`] },
      to: {},
    },
    ...toRules(
      'lib',
      FOLDERS.map(({ folder }) => folder),
      (i) =>
        `lib/${FOLDERS[i].folder} is of ${FOLDERS[i].floor}. What it needs of a folder above is handed to it, or belongs below both.`,
    ),
    {
      name: 'pure-folders-are-pure',
      comment: 'Arithmetic on what it is given: pass what it needs as an argument.',
      severity: 'error',
      from: { path: PURE, pathNot: [TEST, '^lib/wire/server/'] },
      to: { path: OURS, pathNot: [PURE, '^lib/base/'] },
    },
    ...toRules(
      'service',
      SERVICE,
      (i) => `service/${SERVICE[i]} stands below what it imports: turn the import round.`,
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
    {
      name: 'service-stands-alone',
      comment:
        'service/ is the tracking API: it shares the base, pure folders and lib/database with the application.',
      severity: 'error',
      from: { path: '^service/', pathNot: [TEST, '^service/main[.]ts$'] },
      to: { path: OURS, pathNot: ['^service/', PURE, '^lib/(base|database)/'] },
    },
    {
      name: 'service-records-a-past',
      comment: '`simulate --history` alone loads the application, and only when it is used.',
      severity: 'error',
      from: { path: '^service/main[.]ts$' },
      to: {
        path: OURS,
        pathNot: ['^service/', PURE, '^lib/(base|database)/', '^server/service/demo-past[.]ts$'],
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
      from: { path: `^components/|^lib/(browser|live)/|${FEATURE}[^/]+[.]tsx?$`, pathNot: TEST },
      to: { path: SERVER_ONLY, reachable: true },
    },
    {
      name: 'browser-imports-our-zod',
      comment:
        'Import z from lib/base/zod: there it is kept from trying eval, which the policy of the pages forbids.',
      severity: 'error',
      from: { path: `^components/|^lib/(browser|live)/|${FEATURE}[^/]+[.]tsx?$`, pathNot: TEST },
      to: { path: 'node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-are-client',
      comment: 'Components read queries, schemas and pure folders; the rest is reached through app/.',
      severity: 'error',
      from: { path: '^components/', pathNot: TEST },
      to: {
        path: '^(app|server|service|scripts|testing|e2e|bench)/|^lib/(access|archive|cluster|config|database|feeds|fleet|jobs|ops|recording|tracking)/|^lib/[^/]+/server/',
      },
    },
    layer('ui', [], 'ui holds shared controls that know no feature: pass what they need as props.'),
    layer(
      'layout',
      ['ui'],
      'layout is the shell, the navigation and the page frames: app/ puts a page into them.',
    ),
    layer(
      'kit',
      ['ui', 'layout'],
      'kit is what pages are made of: page frame, table, dialog; it knows none of them.',
    ),
    layer(
      'fleet-state',
      ['ui'],
      'fleet-state is the fleet, the view and the freshness that components read.',
    ),
    layer('map', ['ui', 'fleet-state'], 'map draws what it is given; the live screen connects it.'),
    layer('trail', ['map'], 'trail draws where a truck was, moment by moment, on a map of any page.'),
    layer(
      'contacts|loads|notes|tags|views',
      ['ui', 'layout', 'fleet-state', 'kit'],
      'What people keep of units and views: the list, the panel and the page of a vehicle show it.',
      'kept-by-people',
    ),
    layer(
      'shares',
      ['ui', 'layout', 'fleet-state', 'kit', 'loads'],
      'shares is how a link is made, and which ones are open: the panel and the pages of loads and vehicles show it.',
    ),
    layer(
      'certificates',
      ['ui', 'layout', 'fleet-state', 'kit', 'statements'],
      'certificates is how a position certificate is issued: the page of a vehicle and its day show it. What can be done with a document that was issued is that of statements.',
    ),
    layer(
      'getting-started|list|panel|past|tour',
      ['ui', 'layout', 'fleet-state', 'map', 'contacts', 'loads', 'notes', 'shares', 'tags', 'views'],
      'The parts of the live screen do not import each other.',
      'parts-of-the-live-screen',
    ),
    layer(
      'alert-bell',
      ['ui', 'layout', 'fleet-state', 'kit', 'contacts'],
      'alert-bell is how alerts reach a person on any page of a fleet: bell, sound, notifications, and the choice of them.',
    ),
    layer(
      'scheduled-mail',
      ['ui', 'layout', 'fleet-state', 'kit'],
      'scheduled-mail is how a handover or a report is mailed: several pages of a fleet offer it.',
    ),
    layer(
      'statements',
      ['ui', 'layout', 'fleet-state', 'kit'],
      'statements is how a detention statement is issued: the pages of sites and loads, and those of proof, offer it.',
    ),
    layer(
      'search',
      ['ui', 'layout', 'fleet-state'],
      'search is what the field of the bar suggests; fleet-shell loads it when the field is used.',
    ),
    layer(
      'fleet-shell',
      ['ui', 'layout', 'fleet-state', 'past', 'alert-bell', 'search'],
      "fleet-shell is the frame of a fleet's pages: bar, rail, notices; it knows none of them.",
    ),
    layer(
      'api-keys|audit|devices|fleet-source|profile|settings|sign-in|status|users|wall-screens',
      ['ui', 'layout', 'kit', 'fleet-state'],
      'A page imports no other page: move what two of them share to kit, layout or ui.',
      'admin-pages',
    ),
    layer(
      'alerts',
      ['ui', 'layout', 'fleet-state', 'kit', 'contacts', 'fleet-shell', 'alert-bell'],
      'alerts is the page of alerts, their rules and webhooks: move what other pages need to a folder below.',
    ),
    layer(
      'fleet|handover|help|history|links|load-board|proof|roster|sites|vehicle',
      [
        'ui',
        'layout',
        'fleet-state',
        'map',
        'contacts',
        'loads',
        'notes',
        'certificates',
        'shares',
        'tags',
        'trail',
        'getting-started',
        'tour',
        'list',
        'panel',
        'past',
        'fleet-shell',
        'kit',
        'scheduled-mail',
        'statements',
      ],
      'A page imports no other page: move what two of them share to a folder below.',
      'fleet-pages',
    ),
    layer(
      'wall',
      ['ui', 'layout', 'fleet-state', 'map', 'alert-bell'],
      'A wall screen is a page of its own: what it shares with the live screen stands below both.',
    ),
    {
      name: 'app-is-thin',
      comment:
        'Pages and routes call a feature or a component through the runtime, never a client, a feed or a table.',
      severity: 'error',
      from: { path: '^app/', pathNot: TEST },
      to: { path: '^(service|scripts|testing|e2e|bench)/|^lib/(tracking|database)/' },
    },
    {
      name: 'pages-are-bundled-without-the-server',
      comment:
        'Next.js bundles pages and routes: they and what they use of server/ read the runtime, and never what composes it.',
      severity: 'error',
      from: { path: `^app/|${BUNDLED}`, pathNot: TEST },
      to: { path: '^server/', pathNot: BUNDLED, dependencyTypesNot: ['type-only'] },
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
      module: {
        path: '^lib/(access|archive|config|feeds|fleet|jobs|ops|recording|tracking|[^/]+/server)/',
        pathNot: TEST,
      },
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
