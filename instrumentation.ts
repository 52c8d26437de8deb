/** Called by Next.js once per server, before the first request. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return;
  const { startRuntime } = await import('./server/start');
  await startRuntime();
};
