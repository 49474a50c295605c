/** Writes a value of the source as a reader reads it. */
export type Unit = (value: number) => string;

export const count: Unit = (value) => value.toLocaleString("en-US");

function inUnit(value: number, units: readonly (readonly [size: number, name: string])[]): string {
  const [size = 1, name = ""] = units.find(([each]) => value >= each && value % each === 0) ?? [];
  return `${count(value / size)} ${name}${value / size === 1 || name.endsWith("B") || name === "ms" ? "" : "s"}`;
}

export const bytes: Unit = (value) =>
  inUnit(value, [
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
    [1, "byte"],
  ]);

/** Of milliseconds. */
export const time: Unit = (value) =>
  inUnit(value, [
    [60_000, "minute"],
    [1_000, "second"],
    [1, "ms"],
  ]);
export const seconds: Unit = (value) => time(1_000 * value);
export const hours: Unit = (value) => inUnit(value / 3_600_000, [[1, "hour"]]);
export const days: Unit = (value) => inUnit(value / 86_400_000, [[1, "day"]]);
