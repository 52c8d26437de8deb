export class SecretFileError extends Error {}
export const loadSecretFiles: (env: Record<string, string | undefined>) => void;
