/** The header in which a live answer names the build of the server that gave it. */
export const BUILD_HEADER = 'x-linehaul-build';
