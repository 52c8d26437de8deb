/** The header of a live answer that names the server's build. */
export const BUILD_HEADER = 'x-linehaul-build';
