import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The file in which scripts/bootstrap.mjs records the browser that it found. */
const BROWSER_FILE = fileURLToPath(new URL('../.cache/browser', import.meta.url));

/** How tests and benches launch Chromium: the recorded executable, with scrollbars and without network requests of its own. */
export const readLaunchOptions = (): {
  executablePath: string | undefined;
  args: string[];
  ignoreDefaultArgs: string[];
} => ({
  executablePath: existsSync(BROWSER_FILE) ? readFileSync(BROWSER_FILE, 'utf8') : process.env.CHROMIUM_PATH,
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
  // Those of most desks take room.
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
