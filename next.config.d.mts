import type { NextConfig } from 'next';

declare const toConfig: (phase: string) => NextConfig;
export default toConfig;
