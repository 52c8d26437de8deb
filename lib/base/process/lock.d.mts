export interface LockHolder {
  pid: number;
  start: string;
  purpose: string;
}
export interface Lock {
  release(): void;
}
export class LockHeldError extends Error {
  constructor(path: string, holder: { pid: number; purpose: string });
  readonly pid: number;
  readonly purpose: string;
}
export const readProcessStart: (pid: number) => string | null;
export const parseHolder: (text: string) => LockHolder | null;
export const isHolderAlive: (
  holder: LockHolder | null,
  readStart?: (pid: number) => string | null,
) => boolean;
export const readLockHolder: (path: string) => LockHolder | null;
export const acquireLock: (path: string, purpose: string) => Lock;
