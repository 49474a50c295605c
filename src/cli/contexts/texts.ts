import { promText } from "../../commands/relayers/monitor/prom-text.ts";
import type { Ending, View } from "../../terminal/view.ts";
import type { InContext, Run } from "./in-context.ts";

/** Returns the texts of several contexts as one: metrics with each name once, anything else below the name of its context. */
export function textsOfContexts(views: readonly InContext<View>[], { call, names }: Run, ending: Ending): View {
  const texts = views.flatMap(({ name, view }) => {
    if (view.kind === "text") return { name, text: view.text };
    return view.kind === "body" ? { name, text: new TextDecoder().decode(view.body) } : [];
  });
  if (texts.length === 0) return { kind: "nothing" };
  const text =
    call.output.format === "prom"
      ? metricsOf(names.map((name) => texts.find((each) => each.name === name)?.text ?? promText(undefined, name)))
      : texts.map((each) => `# ${each.name}\n${each.text.trimEnd()}\n`).join("\n");
  return { kind: "body", body: new TextEncoder().encode(text), ...ending };
}

/** Returns metrics with the samples of all texts: a name may have only one group of lines. */
function metricsOf(texts: readonly string[]): string {
  const families = new Map<string, { comments: string[]; samples: string[] }>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const [, name = ""] = /^(?:# (?:HELP|TYPE) )?([a-z_]+)/.exec(line) ?? [];
    const family = families.get(name) ?? { comments: [], samples: [] };
    families.set(name, family);
    const lines = line.startsWith("#") ? family.comments : family.samples;
    if (line !== "" && !(lines === family.comments && lines.includes(line))) lines.push(line);
  }
  return [...families.values()]
    .flatMap(({ comments, samples }) => [...comments, ...samples].map((line) => `${line}\n`))
    .join("");
}
