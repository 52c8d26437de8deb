interface Place {
  lat: number;
  lng: number;
}

const METERS_PER_DEGREE = 111_195;

/** Meters between two positions by a flat-earth approximation, accurate enough to separate near from far. */
export const toDistanceM = (a: Place, b: Place): number =>
  METERS_PER_DEGREE *
  Math.hypot(a.lat - b.lat, (a.lng - b.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180));
