/** "$1,312.50". */
export const moneyText = (cents: number): string =>
  `$${String(Math.floor(cents / 100)).replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${String(cents % 100).padStart(2, '0')}`;

/** "2 h 05 min", "45 min". */
export const minutesText = (minutes: number): string =>
  minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
