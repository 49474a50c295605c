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
function faultsOfFamily({ name, help, type, samples }: Family): string[] {
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

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: string;
}

export interface Family {
  name: string;
  help: string;
  type: string;
  samples: readonly Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\\\n]|\\\\[\\\\n])*)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const VALUE = /^(?:[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?Inf|NaN)$/i;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/y;

/**
 * Parses the text format as strictly as `promtool check metrics`: families in one place, help and type first, no
 * duplicates.
 */
export function samplesIn(text: string): Sample[] {
  return familiesIn(text).flatMap(({ samples }) => samples);
}

export function familiesIn(text: string): Family[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = text.split(/^(?=# HELP )/m).map(familyIn);
  unique(families.map(({ name }) => name));
  const samples = families.flatMap((family) => family.samples);
  unique(samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()])));
  const faults = families.flatMap(faultsOfFamily);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return families;
}

function familyIn(text: string): Family {
  const [first = "", second = "", ...lines] = text.split("\n").slice(0, -1);
  const [, name, help = ""] = HELP.exec(first) ?? [];
  const [, typed, type = ""] = TYPE.exec(second) ?? [];
  if (name === undefined || typed !== name) throw new Error(`no help and type: ${first} ${second}`);
  if (lines.length === 0) throw new Error(`no sample of ${name}`);
  return { name, help, type, samples: samplesOf(name, lines) };
}

export function samplesOf(name: string, lines: readonly string[]): Sample[] {
  return lines.map((line) => {
    const [, of = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (of !== name) throw new Error(`no sample of ${name}: ${line}`);
    // A timestamp would be a second number; a textfile must have none.
    if (!VALUE.test(value)) throw new Error(`not a value: ${line}`);
    return { name, labels: labelsIn(labels), value };
  });
}

function unique(texts: readonly string[]): void {
  if (new Set(texts).size < texts.length) throw new Error(`something occurs twice: ${texts.join(", ")}`);
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = "", value = ""] = LABEL.exec(text) ?? [];
    if (name === "") throw new Error(`not labels: ${text}`);
    if (Object.hasOwn(labels, name)) throw new Error(`the label ${name} occurs twice: ${text}`);
    labels[name] = value.replaceAll(/\\([\\"n])/g, (_, mark) => (mark === "n" ? "\n" : mark));
  }
  return labels;
}
