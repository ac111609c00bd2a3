export const nameOf = (total: number): string => `sum of ${total}`;
