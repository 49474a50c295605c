import { readdirSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Every document of the repository that is written by hand, as a path from its root. */
export const DOCUMENTS = readdirSync(ROOT)
  .concat(readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)))
  .filter((name) => name.endsWith(".md") && !["SKILL.md", "THIRD-PARTY-NOTICES.md"].includes(name))
  .map((name) => name.replaceAll("\\", "/"))
  .sort();

/** Returns the files below a folder of the repository, as paths from its root. */
export function filesIn(folder: string, ending: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(ending) && !path.includes("node_modules"))
    .sort()
    .map((path) => `${folder}/${path}`);
}
