/** In which a page tells which of the screens it is: a number that it drew as it was opened, told to nobody else. */
export const SCREEN_HEADER = 'x-linehaul-screen';
