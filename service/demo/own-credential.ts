/** Credentials of this name are the demo's own: each start makes new ones and ends the last start's. */
export const OWN_CREDENTIAL = { name: 'embedded demo', createdBy: 'Linehaul' } as const;

/** Whether the embedded service made a key or token for itself; one that somebody gave the same name is theirs. */
export const isOwnCredential = ({ name, createdBy }: { name: string; createdBy: string | null }): boolean =>
  // Those of before makers were kept have none.
  name === OWN_CREDENTIAL.name && (createdBy === OWN_CREDENTIAL.createdBy || createdBy === null);
