import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./bundle.js";

/** `node scripts/sentences.js --seed 50`: prints random sentences of README and guides for docs/project/sentences.md. */
const { seed = "50", count = "100" } = parseArgs({
  options: { seed: { type: "string" }, count: { type: "string" } },
}).values;
const folders = ["docs/start", "docs/guides"];
const pages = folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
const sentences = ["README.md", ...pages.sort()].flatMap((page) => sentencesOf(page).map((text) => ({ page, text })));
const draw = randomFrom(Number(seed));
const drawn = Array.from({ length: Math.min(Number(count), sentences.length) }, () => {
  const [one] = sentences.splice(Math.floor(draw() * sentences.length), 1);
  return `${one.page}: ${one.text}`;
});
console.log(drawn.sort().join("\n"));

/** Returns the sentences of running text and lists; tables, headings, and code are not sentences. */
function sentencesOf(page) {
  const running = readFileSync(join(root, page), "utf8")
    .replace(/^```.*?^```$/gms, "")
    .replace(/^(?:#|\||!\[| {4}).*$/gm, "")
    .replace(/^(?:- |\d\. )/gm, "\n")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return running
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph
        .replace(/\s+/g, " ")
        .trim()
        .split(/(?<=[.?!])(?:\*\*)? (?=[A-Z`*])/),
    )
    .filter((text) => text.split(" ").length > 3);
}

/** A generator of numbers from 0 to below 1 (mulberry32). */
function randomFrom(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
