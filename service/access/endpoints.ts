/** The five endpoints, under the names by which a key's access settings speak of them. */
export const ENDPOINT_PATHS = {
  units: '/api/units/:usdot',
  unit: '/api/units/:usdot/:vin',
  'vin-numbers': '/api/vin-numbers/:usdot',
  carrier: '/api/carrier',
  'carrier-by-vin': '/api/carrier/:vin',
} as const;
export type Endpoint = keyof typeof ENDPOINT_PATHS;

export const ENDPOINTS = Object.keys(ENDPOINT_PATHS) as [Endpoint, ...Endpoint[]];
