/** The trucks that a report is about: one by its key, those with a tag, or all where both are null. */
export interface ChosenUnits {
  unit: string | null;
  tag: string | null;
}

export const ALL_UNITS: ChosenUnits = { unit: null, tag: null };

/** The choice as parameters of an address; none for all. */
export const toChosenQuery = ({ unit, tag }: ChosenUnits): Record<string, string> => ({
  ...(unit !== null && { unit }),
  ...(tag !== null && { tag }),
});
