import { faultsOfFamily } from "./metric-names.ts";

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
