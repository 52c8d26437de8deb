import pg from 'pg';
import {
  CommandFailure,
  parseArguments,
  print,
  toMinute,
  toSubcommands,
  toTable,
  type Command,
  type Run,
} from './command';

interface KeyRow {
  kid: string;
  fromMs: number;
  untilMs: number | null;
  revokedMs: number | null;
}

/** The tables are the application's, which makes them when it first opens this database. */
const withTables = async <T>(databaseUrl: string, act: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'linehaul-signing-keys' });
  try {
    await client.connect();
  } catch (error) {
    throw new CommandFailure(
      `The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  try {
    const { rows } = await client.query<{ name: string | null }>(
      `SELECT to_regclass('linehaul.proof_keys') AS name`,
    );
    if (rows[0]!.name === null)
      throw new CommandFailure('The application has not been started with this database yet.');
    return await act(client);
  } finally {
    await client.end();
  }
};

const READ = `SELECT kid, from_ms::float8 AS "fromMs", until_ms::float8 AS "untilMs", revoked_ms::float8 AS "revokedMs"
  FROM linehaul.proof_keys ORDER BY from_ms, kid`;

const list: Run = async (argv, context) => {
  const { options } = parseArguments(argv, { json: 'flag' }, []);
  const { rows } = await withTables(context.databaseUrl, (client) => client.query<KeyRow>(READ));
  const toState = ({ untilMs, revokedMs }: KeyRow): string =>
    revokedMs === null
      ? untilMs === null
        ? 'signs'
        : 'verifies what it signed'
      : `revoked ${toMinute(revokedMs)}`;
  const lines = rows.map((row) => [
    ...[row.kid, toState(row), toMinute(row.fromMs)],
    row.untilMs === null ? null : toMinute(row.untilMs),
  ]);
  print(
    context,
    options.json,
    rows,
    toTable(['key', 'state', 'from', 'until'], lines, 'No document has been signed yet.'),
  );
};

/** A key ends no sooner than the newest document that it signed, so that this stays verifiable. */
const END = `UPDATE linehaul.proof_keys k SET until_ms = greatest($1, k.from_ms,
    (SELECT max(d.issued_ms) FROM linehaul.proof_documents d WHERE d.kid = k.kid))
  WHERE until_ms IS NULL`;
const RECORD = `INSERT INTO linehaul.audit_log (at_ms, actor, action, subject, outcome)
  VALUES ($1, 'command line', $2, $3, 'done')`;

const inTransaction = async (client: pg.Client, act: () => Promise<void>): Promise<void> => {
  await client.query('BEGIN');
  await act();
  await client.query('COMMIT');
};

const rotate: Run = async (argv, context) => {
  parseArguments(argv, {}, []);
  const nowMs = context.now();
  await withTables(context.databaseUrl, (client) =>
    inTransaction(client, async () => {
      const { rows } = await client.query<{ kid: string }>(`${END} RETURNING kid`, [nowMs]);
      for (const { kid } of rows) await client.query(RECORD, [nowMs, 'proof-key.rotate', kid]);
    }),
  );
  context.stdout('The next document is signed with a new key. The keys before verify what they signed.');
};

const revoke: Run = async (argv, context) => {
  const { args } = parseArguments(argv, {}, ['The key']);
  const kid = args[0]!;
  const nowMs = context.now();
  await withTables(context.databaseUrl, (client) =>
    inTransaction(client, async () => {
      await client.query(`${END} AND kid = $2`, [nowMs, kid]);
      const { rowCount } = await client.query(
        'UPDATE linehaul.proof_keys SET revoked_ms = $1 WHERE kid = $2 AND revoked_ms IS NULL',
        [nowMs, kid],
      );
      if (rowCount === 0) throw new CommandFailure(`There is no key ${kid} that can be trusted.`);
      await client.query(RECORD, [nowMs, 'proof-key.revoke', kid]);
    }),
  );
  context.stdout(`Revoked key ${kid}. Its signatures alone prove nothing any more.`);
};

export const signingKeysCommand: Command = {
  summary: 'The keys that sign statements and certificates: list, rotate, revoke',
  usage: ['signing-keys list [--json]', 'signing-keys rotate', 'signing-keys revoke KEY'],
  details: [
    'Keys are made by the application when a document is signed, and are never deleted.',
    '  rotate   lets a new key sign from the next document on; the ones before stay verifiable',
    '  revoke   marks a key that others may have: its signatures alone prove nothing any more',
  ],
  run: toSubcommands({ list, rotate, revoke }),
};
