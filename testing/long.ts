/** Whether `npm run test:long` runs, which repeats more and waits longer than `npm test`. */
export const IS_LONG = process.env.LINEHAUL_TEST_LONG === '1';
