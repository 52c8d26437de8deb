declare module 'zipcodes' {
  interface Code {
    zip: string;
    latitude: number;
    longitude: number;
    city: string;
    state: string;
    country: string;
  }
  export const codes: Record<string, Code>;
}
