/**
 * Exits with 0 if the server of this machine is alive: a container's HEALTHCHECK, without a shell. It does
 * not check readiness, because a server that shows the last good fleet while its database is away must not be
 * ended for it.
 */
const ANSWERS_WITHIN_MS = 4000;

try {
  const url = `http://127.0.0.1:${process.env.PORT || 3000}/api/health/live`;
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
} catch (error) {
  process.stderr.write(`${error.message}: ${error.cause?.message ?? 'no further details'}\n`);
  process.exitCode = 1;
}
