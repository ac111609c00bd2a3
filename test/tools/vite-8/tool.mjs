import { runVite } from '../vite.mjs';

export const packages = { 'd3-dsv': '3.0.1', vite: '8.3.8' };
export const common = ['bundled', 'vite'];
export default runVite;
