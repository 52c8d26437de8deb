import 'server-only';
import { Archiver, type ArchiverOptions } from './archiver';
import { ArchiveReader } from './archive-reader';
import { DamagedFiles, type ArchiveProblem } from './parquet-file';
import { DuckDb } from './duck-db';
import type { ScratchFolder } from './scratch';

/** The recorded hours that PostgreSQL has no more. */
export interface Archive {
  archiver: Archiver;
  reader: ArchiveReader;
  scratch: ScratchFolder;
  readProblems: () => ArchiveProblem[];
  close: () => Promise<void>;
}

/** The archive in a folder. Nothing is opened before it is needed. */
export const openArchive = ({
  memoryMb,
  ...options
}: Omit<ArchiverOptions, 'duck' | 'damaged'> & { memoryMb: number }): Archive => {
  const { folder } = options;
  const duck = new DuckDb({ folder, memoryMb });
  const damaged = new DamagedFiles({ duck, folder });
  const archiver = new Archiver({ ...options, duck, damaged });
  const reader = new ArchiveReader({ duck, folder, damaged });
  return {
    archiver,
    reader,
    scratch: duck.scratch,
    readProblems: () => archiver.readProblems(),
    close: async () => {
      await archiver.close();
      await duck.close();
    },
  };
};
