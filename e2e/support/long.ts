/** Details of a test that only `npm run test:long` runs; LONG_FILES in playwright.config.ts has whole files of them. */
export const LONG = { tag: '@long' };
