import { useMediaQuery } from '@mantine/hooks';

/** As in the CSS modules: narrower, the list and the panel are a sheet over the map. */
const PHONE_QUERY = '(max-width: 859px)';

/** Whether the screen is too narrow for a list beside a map; false until it is known. */
export const usePhone = (): boolean => useMediaQuery(PHONE_QUERY, false);
