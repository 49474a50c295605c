import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FENCED = /^```.*?^```$/gms;

const documents = readdirSync(ROOT)
  .concat(readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)))
  .filter((name) => name.endsWith(".md") && name !== "THIRD-PARTY-NOTICES.md");

test.each(documents)("every link in %s leads to a file and a heading", (name) => {
  const links = [...textOf(name).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path = "", heading]) => {
    const target = path === "" ? name : join(dirname(name), path);
    if (!existsSync(join(ROOT, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test("every document is linked from another", () => {
  const linked = documents.flatMap((name) =>
    [...textOf(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => join(dirname(name), path)),
  );
  expect(documents.filter((name) => name !== "README.md" && !linked.includes(name))).toEqual([]);
});

function textOf(name: string): string {
  return readFileSync(join(ROOT, name), "utf8").replaceAll(FENCED, "");
}

/** Returns the names that GitHub gives to the headings of a document. */
function headingsOf(name: string): string[] {
  return [...textOf(name).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
