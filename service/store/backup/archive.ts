import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClientBase } from 'pg';
import { BackupError } from './format';

/** Folders of the history's archive. */
export interface CopiedArchive {
  from: string;
  to: string;
}

const toBytes = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.size ?? null;

/**
 * Copies the files that the catalog of the history lists, except those that are there already: they never change. Returns how
 * many the catalog lists; null copies none.
 */
export const copyArchive = async (
  client: ClientBase,
  folders: CopiedArchive | null,
  signal: AbortSignal,
): Promise<number> => {
  const { rows: found } = await client.query<{ table: string | null }>(
    "SELECT to_regclass('linehaul.archive_files') AS table",
  );
  if (found[0]?.table == null) return 0;
  const { rows } = await client.query<{ path: string; bytes: number }>(
    "SELECT path, bytes::float8 AS bytes FROM linehaul.archive_files WHERE state = 'listed' ORDER BY path",
  );
  for (const { path, bytes } of folders === null ? [] : rows) {
    const [from, to] = [join(folders!.from, path), join(folders!.to, path)];
    if (signal.aborted) throw new BackupError('The copying of the history was stopped.');
    if ((await toBytes(to)) === bytes) continue;
    await mkdir(dirname(to), { recursive: true });
    try {
      await copyFile(from, `${to}.part`);
      await rename(`${to}.part`, to);
    } catch (error) {
      await rm(`${to}.part`, { force: true });
      throw error;
    }
  }
  return rows.length;
};
