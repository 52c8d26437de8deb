import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@': root.replace(/\/$/, ''),
      // The marker throws outside a server bundle; its own empty file is what Next resolves there.
      'server-only': `${root}node_modules/server-only/empty.js`,
    },
  },
  test: {
    include: ['{app,bench,components,lib,scripts,server,service,testing}/**/*.test.{ts,tsx}'],
    globalSetup: ['./testing/vitest-postgres.ts'],
    testTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['{app,components,lib,scripts,server,service}/**/*.{ts,tsx}'],
      exclude: ['**/*.test.{ts,tsx}', '**/*.d.ts', '**/testing/**'],
      reporter: ['text-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
  },
});
