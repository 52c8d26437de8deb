export const listSources: (root: string) => string[];
export const listSourcePackages: (root: string) => string[];
