/** A backup cannot be made or taken back; the message says why, for a person. */
export class BackupError extends Error {
  override name = 'BackupError';
}
