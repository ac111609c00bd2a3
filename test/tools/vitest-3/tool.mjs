import { runVitest, vitestPackages } from '../vitest.mjs';

export const packages = vitestPackages('3.2.7');
export const common = ['typescript', 'vitest'];
export default runVitest;
