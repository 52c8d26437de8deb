export const listFiles: (root: string, names: string[], wanted?: (name: string) => boolean) => string[];
export const hashFiles: (root: string, names: string[]) => string;
export const listImports: (root: string, entry: string) => string[];
