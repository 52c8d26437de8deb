import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { listFiles } from './files.mjs';

const compress = promisify(brotliCompress);
const isText = (name) => /\.(?:js|css|json)$/.test(name);
/** Larger files are generated data, for which the highest quality takes seconds and gains little. */
const MANY_BYTES = 300_000;

/** Writes a Brotli copy beside each text file of a folder, which the server sends as it is. */
export const compressFiles = async (root, folder) => {
  await Promise.all(
    listFiles(root, [folder], isText).map(async (name) => {
      const bytes = await readFile(join(root, name));
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length > MANY_BYTES ? 9 : constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      await writeFile(join(root, `${name}.br`), await compress(bytes, { params }));
    }),
  );
};
