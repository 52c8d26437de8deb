const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborted by the first signal to end. Later ones are ignored: a Ctrl-C comes from the terminal and once more from npm.
 */
export const watchSignals = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => controller.abort());
  return controller.signal;
};

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
