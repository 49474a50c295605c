import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DOCUMENTS, ROOT } from "./documents.ts";

const FENCED = /^```.*?^```$/gms;
/** The index itself, and pages that an index of their folder lists. */
const LISTED_ELSEWHERE = /^docs\/README\.md$|^docs\/project\/(?:decisions|service)\/(?!README)/;

test.each(DOCUMENTS)("every link in %s leads to a file and a heading", (name) => {
  const links = [...textOf(name).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path = "", heading]) => {
    const target = path === "" ? name : join(dirname(name), path);
    if (!existsSync(join(ROOT, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test("the pages for developers name files and folders that exist", () => {
  const rooms = readdirSync("src").filter((name) => !name.endsWith(".ts"));
  const texts = [...textOf("CONTRIBUTING.md").split("\n"), ...textOf("docs/project/architecture.md").split("\n")];
  const paths = texts.flatMap((line) => {
    const [, room] = /^\| `(src\/[\w-]+\/)` \|/.exec(line) ?? [];
    const names = [...line.matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);
    return names.flatMap((name) => {
      const [first = ""] = name.split("/");
      if (/^(?:src|test|scripts|docs)\//.test(name)) return name;
      if (room !== undefined && /^[\w-]+(?:\/|\.ts)$/.test(name)) return room + name;
      return name.includes("/") && rooms.includes(first) ? `src/${name}` : [];
    });
  });
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(path) && !existsSync(`${path}.ts`))).toEqual([]);
});

test("every document is linked from another document", () => {
  const linked = DOCUMENTS.flatMap((name) =>
    [...textOf(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => join(dirname(name), path)),
  );
  expect(DOCUMENTS.filter((name) => name !== "README.md" && !linked.includes(name))).toEqual([]);
});

test("the index leads to every page of docs/", () => {
  const linked = [...textOf("docs/README.md").matchAll(/\]\(([^)#]+)\)/g)].map(([, path = ""]) => join("docs", path));
  const pages = DOCUMENTS.filter((name) => name.startsWith("docs/") && !LISTED_ELSEWHERE.test(name));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((name) => !linked.includes(name))).toEqual([]);
});

test("every break in the list of reliability is one that npm run chaos makes, at its place", () => {
  const breaks: { file: string; what: string }[] = JSON.parse(
    readFileSync(join(ROOT, "test/chaos/breaks.json"), "utf8"),
  );
  const [, table = ""] = textOf("docs/project/reliability.md").split("| Place | Broken | Seed |");
  const rows = [...table.matchAll(/^\| `([\w/-]+\.ts)` \| (.*) \| \d+ \|$/gm)];
  const isMade = (place: string, words: string) =>
    breaks.some(({ file, what }) => file.endsWith(place) && what === words.replaceAll("`", ""));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(([, place = "", words = ""]) => !isMade(place, words)).map(([row]) => row)).toEqual([]);
});

function textOf(name: string): string {
  return readFileSync(join(ROOT, name), "utf8").replaceAll(FENCED, "");
}

function headingsOf(name: string): string[] {
  return [...textOf(name).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
