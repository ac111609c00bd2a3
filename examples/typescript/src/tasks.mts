// The worker's module. Types are all that main.mts takes from it.

export interface Reading {
  sensor: string;
  values: number[];
}

export interface Summary {
  sensor: string;
  mean: number;
  deviation: number;
}

export function summarize({ sensor, values }: Reading): Summary {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { sensor, mean, deviation: Math.sqrt(squares / values.length) };
}
