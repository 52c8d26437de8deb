import 'server-only';
import { Archiver, type ArchiverOptions } from './archiver';
import { ArchiveReader } from './archive-reader';
import { DamagedFiles } from './parquet-file';
import { DuckDb } from './duck-db';
import { LearnedFiles } from './learned-files';

/** The archive in a folder. Nothing is opened before it is needed. */
export const openArchive = ({
  memoryMb,
  ...options
}: Omit<ArchiverOptions, 'duck' | 'damaged'> & { memoryMb: number }) => {
  const { folder } = options;
  const duck = new DuckDb({ folder, memoryMb });
  const damaged = new DamagedFiles({ duck, folder });
  const archiver = new Archiver({ ...options, duck, damaged });
  const reader = new ArchiveReader({ duck, folder, damaged });
  return {
    archiver,
    reader,
    scratch: duck.scratch,
    learned: new LearnedFiles(folder, duck.scratch),
    readProblems: () => archiver.readProblems(),
    close: async (): Promise<void> => {
      await archiver.close();
      await duck.close();
    },
  };
};

/** The recorded hours that PostgreSQL has no more. */
export type Archive = ReturnType<typeof openArchive>;
