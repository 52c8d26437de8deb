import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = fileURLToPath(new URL('pages/', import.meta.url));

/** Each is one file in pages/ that sets `window.subject`. */
export const PAGE_NAMES = ['layer', 'circle-marker', 'markercluster'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

export interface PageFile {
  type: string;
  body: string | Uint8Array;
}

const toHtml = (name: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${name}</title>
<link rel="stylesheet" href="/peers/${name}.css">
<style>html, body, #root { margin: 0; width: 100%; height: 100%; overflow: hidden } .leaflet-container { height: 100% }</style>
<div id="root"></div>
<script src="/peers/${name}.js"></script>
</html>`;

/** Bundles one small page a way of drawing units, as a production build would: minified, React in production. */
export const buildPageFiles = async (): Promise<ReadonlyMap<string, PageFile>> => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: PAGE_NAMES.map((name) => ({ in: `${PAGES}${name}.ts`, out: name })),
    outdir: 'peers',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    tsconfig: 'tsconfig.json',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.png': 'dataurl', '.svg': 'dataurl' },
    logLevel: 'error',
  });
  const files = new Map<string, PageFile>();
  for (const name of PAGE_NAMES) files.set(`/peers/${name}.html`, { type: 'text/html', body: toHtml(name) });
  for (const { path, contents } of outputFiles) {
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
    files.set(path.slice(path.indexOf('/peers/')), { type, body: contents });
  }
  return files;
};
