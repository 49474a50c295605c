import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const names = Object.keys(manifest.devDependencies);

test("docs/project/dependencies.md justifies every dependency", () => {
  const justified = readFileSync(join(ROOT, "docs/project/dependencies.md"), "utf8");
  expect(names.filter((name) => !justified.includes(`\`${name}\``))).toEqual([]);
});

test("the package installs no other package, and every version is exact", () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(names.filter((name) => !/^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/.test(manifest.devDependencies[name]))).toEqual([]);
});
