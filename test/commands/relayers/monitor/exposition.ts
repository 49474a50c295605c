/** One sample of the text format of Prometheus. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: string;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{(.*)\} (-?[0-9]+|\+Inf)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/** Parses the text format strictly: each family has its help and its type first, and no sample occurs twice. */
export function samplesIn(text: string): Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = text.split(/^(?=# HELP )/m).map(familyIn);
  unique(families.map(({ name }) => name));
  const samples = families.flatMap((family) => family.samples);
  unique(samples.map(({ name, labels }) => JSON.stringify([name, labels])));
  return samples;
}

function familyIn(text: string): { name: string; samples: Sample[] } {
  const [help = "", type = "", ...lines] = text.split("\n").slice(0, -1);
  const name = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) \S.*$/.exec(help)?.[1];
  if (name === undefined || type !== `# TYPE ${name} gauge`) throw new Error(`no help and type: ${help} ${type}`);
  if (lines.length === 0) throw new Error(`no sample of ${name}`);
  const samples = lines.map((line) => {
    const [, of = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (of !== name) throw new Error(`no sample of ${name}: ${line}`);
    return { name, labels: labelsIn(labels), value };
  });
  return { name, samples };
}

function unique(texts: readonly string[]): void {
  if (new Set(texts).size < texts.length) throw new Error(`something occurs twice: ${texts.join(", ")}`);
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const found = LABEL.exec(text);
    if (!found) throw new Error(`not labels: ${text}`);
    labels[found[1] ?? ""] = (found[2] ?? "").replaceAll(/\\([\\"n])/g, (_, mark) => (mark === "n" ? "\n" : mark));
  }
  return labels;
}
