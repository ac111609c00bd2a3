export const score = (points: readonly number[]): number =>
  points.reduce((sum, value) => sum + value, 0);
