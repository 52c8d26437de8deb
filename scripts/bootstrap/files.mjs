import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/** Every file under the given files and folders of `root`, sorted, that `wanted` takes; what is missing is skipped. */
export const listFiles = (root, names, wanted = () => true) =>
  names
    .flatMap((name) => {
      const stat = statSync(join(root, name), { throwIfNoEntry: false });
      if (!stat?.isDirectory()) return stat && wanted(name) ? [name] : [];
      return listFiles(
        root,
        readdirSync(join(root, name)).map((entry) => join(name, entry)),
        wanted,
      );
    })
    .sort();

/** A hash over names and contents. Times do not count: git sets them with each checkout. */
export const hashFiles = (root, names) => {
  const hash = createHash('sha256');
  for (const name of names) {
    const content = readFileSync(join(root, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

const IMPORT = /\b(?:from|import)\s*\(?\s*['"]((?:\.{1,2}|@)\/[^'"]+)['"]/g;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.json'];

const resolveImport = (root, from, specifier) => {
  const path = specifier.startsWith('@/')
    ? join(root, specifier.slice(2))
    : resolve(dirname(from), specifier);
  return ENDINGS.map((ending) => path + ending).find((file) => existsSync(file) && statSync(file).isFile());
};

/** A script and every file of `root` that it imports, at any depth; packages are the lockfile's business. */
export const listImports = (root, entry) => {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const imported = resolveImport(root, file, specifier);
      if (imported) visit(imported);
    }
  };
  visit(join(root, entry));
  return [...found].map((file) => relative(root, file)).sort();
};

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
