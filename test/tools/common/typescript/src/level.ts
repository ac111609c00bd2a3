export enum Level {
  Low,
  High,
}
