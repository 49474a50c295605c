import { type Sample, samplesOf } from "./exposition.ts";

const FAMILY =
  /^# HELP (?<name>[a-z_]+) (?<help>(?:[^\\"\n]|\\[\\"n])+)\n# TYPE (?<typed>[a-z_]+) (?<type>\w+)\n(?<lines>[^#]+)$/;
/** What follows the name of a family in its samples. */
const SUFFIXES: Readonly<Record<string, string>> = { gauge: "", info: "_info", counter: "_total", unknown: "" };

/** Parses OpenMetrics 1.0 as far as gauges, infos, and counters need it, and its end. */
export function openMetricsIn(text: string): Sample[] {
  if (!text.endsWith("\n# EOF\n")) throw new Error("no end");
  const families = text.slice(0, -"# EOF\n".length).split(/^(?=# HELP )/m);
  return families.flatMap((family) => {
    const { name = "", typed, type = "", lines = "" } = FAMILY.exec(family)?.groups ?? {};
    const suffix = SUFFIXES[type];
    if (name === "" || typed !== name || suffix === undefined) throw new Error(`not a family: ${family}`);
    if (/_(?:total|info|bucket|count|sum|created)$/.test(name)) throw new Error(`a family with a suffix: ${name}`);
    return samplesOf(`${name}${suffix}`, lines.trimEnd().split("\n"));
  });
}
