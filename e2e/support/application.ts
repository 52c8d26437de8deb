import { findFreePorts } from './ports';
import { startProgram, stopProgram, waitForAnswer } from './programs';
import type { Variables } from './programs';

/** A web application that one spec started for itself. */
export interface Application {
  /** http://127.0.0.1:port, without a slash at its end. */
  url: string;
  stop(): Promise<void>;
}

/** Starts the built application on a port of its own, or again on a given one; all that it prints goes to the file `log`. */
export const startApplication = async (
  variables: Variables,
  log: string,
  givenPort?: number,
): Promise<Application> => {
  const port = givenPort ?? (await findFreePorts(1))[0];
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(
    'start',
    [],
    { MAP_TILES_URL: 'none', POLL_INTERVAL_MS: '1000', ...variables, PORT: String(port) },
    log,
  );
  const stop = () => stopProgram(program);
  try {
    await waitForAnswer(`${url}/api/health`, program, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
};
