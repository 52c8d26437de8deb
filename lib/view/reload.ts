/** The messages of the browsers' loaders and of Next.js. */
const MISSING =
  /loading (css )?chunk|failed to load chunk|dynamically imported module|importing a module script/i;

/** Whether a page broke because a chunk of its script, perhaps of an older build, could not be loaded. */
export const isMissingPart = (error: { name?: string; message?: string }): boolean =>
  error.name === 'ChunkLoadError' || MISSING.test(error.message ?? '');
