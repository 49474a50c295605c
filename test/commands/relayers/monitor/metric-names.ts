import type { Family } from "./exposition.ts";

/** Base units of Prometheus, and what stands for another unit of the same quantity. */
const OTHER_UNITS: Readonly<Record<string, RegExp>> = {
  seconds: /^(?:(?:milli|micro|nano)seconds|minutes|hours|days|weeks)$/,
  bytes: /^(?:(?:kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi|pebi)bytes|(?:kilo|mega)?bits)$/,
  ratio: /^percent(?:age)?$/,
  celsius: /^(?:fahrenheit|kelvin)$/,
  meters: /^(?:(?:kilo|centi|milli)meters|inches|yards|miles)$/,
  grams: /^(?:kilograms|pounds|ounces)$/,
};
const ABBREVIATIONS = /^(?:s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)$/;
const TYPES = /^(?:counter|gauge|histogram|summary|untyped)$/;
const SNAKE = /^[a-z_][a-z0-9_]*$/;

/** Returns what `promtool check metrics` has against a family: its help, its name, and the names of its labels. */
export function faultsOfFamily({ name, help, type, samples }: Family): string[] {
  const words = name.split("_");
  const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const units = Object.entries(OTHER_UNITS).filter(([, pattern]) => has(pattern));
  const faults = {
    "has no help": help.trim() === "",
    "has a colon in its name": name.includes(":"),
    "is not in snake case": !SNAKE.test(name.replaceAll(":", "_")),
    "has an abbreviated unit in its name": has(ABBREVIATIONS),
    "has its type in its name": has(TYPES),
    "is a counter without _total": type === "counter" && !name.endsWith("_total"),
    "is not a counter and ends with _total": type !== "counter" && name.endsWith("_total"),
    "has a suffix of a histogram or a summary":
      !["histogram", "summary"].includes(type) && /_(?:bucket|count|sum)$/.test(name),
    "has a label of a histogram or a summary":
      !["histogram", "summary"].includes(type) && labels.some((label) => label === "le" || label === "quantile"),
    "has a label that is not in snake case": labels.some((label) => !SNAKE.test(label)),
    "has a reserved label": labels.some((label) => label.startsWith("__")),
    "has different labels in its samples": samples.some(
      (sample) => Object.keys(sample.labels).length !== labels.length,
    ),
  };
  return [
    ...Object.entries(faults).flatMap(([words, isSo]) => (isSo ? [`${name} ${words}`] : [])),
    ...units.map(([unit]) => `${name} is not in ${unit}`),
  ];
}
