export const ANSWER_HEADERS: Record<string, string>;
export const DATA_HEADERS: Record<string, string>;
