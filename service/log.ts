/** The part of pino's logger that the service uses. */
export interface ServiceLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => undefined;

export const silentLog: ServiceLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };
