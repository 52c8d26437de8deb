import 'server-only';
import type { UnitHistories, UnitRows } from '@/lib/fleet/recorded-units';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBListVector,
  DuckDBResult,
  DuckDBValue,
  DuckDBVector,
  JS,
} from '@duckdb/node-api';
import { createLazy } from '@/lib/base/lazy';
import { ScratchFolder } from './scratch';

/** The items of a vector of integers without nulls: its `getItem` tests each for null, which takes most of the time of a query. */
const integersOf = (vector: DuckDBVector): Int32Array => (vector as unknown as { items: Int32Array }).items;

/** Writes numbers at an index and at each so many after it. */
const pack = (numbers: Int32Array, packed: Int32Array, from: number, width: number): void => {
  for (let i = 0, at = from; i < numbers.length; i++, at += width) packed[at] = numbers[i]!;
};

const toPacked = (columns: readonly Int32Array[]): Int32Array => {
  const packed = new Int32Array(columns.length * (columns[0]?.length ?? 0));
  columns.forEach((column, c) => pack(column, packed, c, columns.length));
  return packed;
};

async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) yield chunk;
}

/** A statement's only row: texts with a NUL in between, which no text of PostgreSQL's has, and lists of integers; none of no texts. */
const readLists = async (
  connection: DuckDBConnection,
  sql: string,
): Promise<[texts: string[], ...lists: Int32Array[]]> => {
  const chunk = (await (await connection.run(sql)).fetchChunk())!;
  const [texts] = chunk.getColumnValues(0) as [string | null];
  if (texts === null) return [[]];
  const lists = Array.from({ length: chunk.columnCount - 1 }, (_, c) =>
    integersOf((chunk.getColumnVector(c + 1) as DuckDBListVector).getItemVector(0)!),
  );
  return [texts.split('\0'), ...lists];
};

/** One for the thread of the statement, and one besides. */
const THREADS = 2;

/** DuckDB, which reads and writes Parquet. It is loaded with the first statement, because that takes 60 MB. */
export class DuckDb {
  readonly #folder: string;
  readonly #memoryMb: number;
  readonly scratch: ScratchFolder;
  #instance = createLazy(() => this.#open());

  constructor({ folder, memoryMb }: { folder: string; memoryMb: number }) {
    this.#folder = folder;
    this.#memoryMb = memoryMb;
    this.scratch = new ScratchFolder(folder);
  }

  /** The rows of one statement, each as a list. */
  readRows<Row extends JS[]>(sql: string, values: DuckDBValue[] = []): Promise<Row[]> {
    return this.#run(
      async (connection) => (await connection.runAndReadAll(sql, values)).getRowsJS() as Row[],
    );
  }

  /** Rows of a text and integers, chunk by chunk, so that other work goes on in between. @throws StatementAbortedError */
  readUnits(sql: string, signal?: AbortSignal): Promise<UnitRows> {
    return this.#run(async (connection) => {
      const result = await runUntil(connection, sql, signal);
      const width = result.columnCount - 1;
      const units: string[] = [];
      const packed = new Int32Array(result.rowCount * width);
      for await (const chunk of chunksOf(result)) {
        for (let c = 0; c < width; c++)
          pack(integersOf(chunk.getColumnVector(c + 1)), packed, units.length * width + c, width);
        units.push(...(chunk.getColumnValues(0) as string[]));
      }
      return { units, values: packed };
    });
  }

  /** Rows of `unit` and integers, all at once in no order: as one row of lists they take less than half the time. */
  readUnitLists(sql: string): Promise<UnitRows> {
    return this.#run(async (connection) => {
      const [units, ...columns] = await readLists(
        connection,
        `SELECT string_agg(unit, chr(0)), list(COLUMNS(* EXCLUDE (unit))) FROM (${sql})`,
      );
      return { units, values: toPacked(columns) };
    });
  }

  /** The rows of readUnitLists, those of each unit together, in no order. */
  readHistories(sql: string): Promise<UnitHistories> {
    return this.#run(async (connection) => {
      const [units, counts, ...columns] = await readLists(
        connection,
        `SELECT string_agg(unit, chr(0)), list(counted), flatten(list(COLUMNS(* EXCLUDE (unit, counted)))) FROM (
           SELECT unit, count(*)::INTEGER AS counted, list(COLUMNS(* EXCLUDE (unit))) FROM (${sql}) GROUP BY unit
         )`,
      );
      return { units, counts: counts ?? [], values: toPacked(columns) };
    });
  }

  /** The columns of a statement whose columns all are DOUBLE and never null, chunk by chunk, so that other work goes on in between. */
  readNumbers(sql: string, values: DuckDBValue[] = []): Promise<Float64Array<ArrayBuffer>[]> {
    return this.#run(async (connection) => {
      const result = await connection.run(sql, values);
      const columns = Array.from({ length: result.columnCount }, () => new Float64Array(result.rowCount));
      let row = 0;
      for await (const chunk of chunksOf(result)) {
        for (const [c, column] of columns.entries()) {
          // As a whole, because item by item each is looked up in a bit mask of nulls.
          const { items } = chunk.getColumnVector(c) as unknown as { items: Float64Array };
          column.set(items.subarray(0, chunk.rowCount), row);
        }
        row += chunk.rowCount;
      }
      return columns;
    });
  }

  /** Runs a statement without rows. @throws StatementAbortedError */
  async run(sql: string, signal: AbortSignal): Promise<void> {
    await this.#run((connection) => runUntil(connection, sql, signal));
  }

  /** Each statement has a connection of its own, so that none waits for another one. */
  async #run<T>(act: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await (await this.#instance.open()).connect();
    try {
      return await act(connection);
    } finally {
      connection.closeSync();
    }
  }

  /** Frees the memory; a later statement opens it again. */
  async close(): Promise<void> {
    const closing = this.#instance;
    this.#instance = createLazy(() => this.#open());
    await closing.close((instance) => instance.closeSync());
    await this.scratch.close();
  }

  async #open(): Promise<DuckDBInstance> {
    // Files are read without it too.
    await mkdir(this.scratch.path, { recursive: true }).catch((error: unknown) => this.scratch.note(error));
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${this.#memoryMb}MB`,
      threads: String(THREADS),
      temp_directory: join(this.scratch.path, 'spilled'),
      autoload_known_extensions: 'false',
      autoinstall_known_extensions: 'false',
    });
    const connection = await instance.connect();
    // A file never changes under its name.
    await connection.run('SET GLOBAL parquet_metadata_cache = true');
    await connection.run(`SET GLOBAL allowed_directories = ${quoteAll([this.#folder])}`);
    await connection.run('SET GLOBAL enable_external_access = false');
    await connection.run('SET GLOBAL lock_configuration = true');
    connection.closeSync();
    return instance;
  }
}

/** A signal ended a statement. */
export class StatementAbortedError extends Error {
  override name = 'StatementAbortedError';
}

const runUntil = async (connection: DuckDBConnection, sql: string, signal?: AbortSignal) => {
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener('abort', interrupt);
  try {
    signal?.throwIfAborted();
    return await connection.run(sql);
  } catch (cause) {
    throw signal?.aborted ? new StatementAbortedError('A statement was ended.', { cause }) : cause;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
};

/** A text as a literal of SQL, where no parameter is possible. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const quoteAll = (texts: readonly string[]): string => `[${texts.map(quote).join(', ')}]`;
