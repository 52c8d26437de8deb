/** The header with a page's random screen number, which only the server receives. */
export const SCREEN_HEADER = 'x-linehaul-screen';
