import 'server-only';
import { Archiver } from './archiver';
import type { ArchiverOptions } from './archiver';
import { ArchiveReader } from './archive-reader';
import { DuckDb } from './duck-db';
import type { ArchiveProblem } from './parquet-file';

/** The recorded hours that PostgreSQL has no more. */
export interface Archive {
  archiver: Archiver;
  reader: ArchiveReader;
  readProblems: () => ArchiveProblem[];
  close: () => Promise<void>;
}

/** The archive in a folder. Nothing is opened before it is needed. */
export const openArchive = ({
  memoryMb,
  ...options
}: Omit<ArchiverOptions, 'duck'> & { memoryMb: number }): Archive => {
  const { folder } = options;
  const duck = new DuckDb({ folder, memoryMb });
  const archiver = new Archiver({ ...options, duck });
  const reader = new ArchiveReader({ duck, folder });
  return {
    archiver,
    reader,
    readProblems: () => [...archiver.readProblems(), ...reader.readProblems()],
    close: async () => {
      await archiver.close();
      await duck.close();
    },
  };
};
