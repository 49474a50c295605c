import { join } from "node:path";
import lock from "../../../package-lock.json" with { type: "json" };
import { bundledPackages } from "../../../scripts/bundled.js";
import { BUN_PARTS } from "../../../scripts/release/bun-parts.js";
import { licensesText } from "../../../scripts/release/licenses.js";
import { sbomText } from "../../../scripts/release/sbom.js";

const root = join(import.meta.dirname, "../../..");
const packages = (await bundledPackages()).map((each) => ({
  ...each,
  integrity: (lock.packages as Record<string, { integrity?: string }>)[each.path]?.integrity ?? "",
}));
const BUN = { name: "@oven/bun-linux-x64", version: "1.4.5", license: "MIT", integrity: "sha512-AQI=" };
const executables = [{ file: "relayctl-linux-x64", sha256: "ab", bun: BUN }];
const release = { version: "1.2.3", commit: "c0ffee", epoch: 1_767_323_045, packages, executables };

interface Component {
  "bom-ref": string;
  type: string;
  name: string;
  version?: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  licenses: object[];
  components?: Component[];
}

const bom: {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
} = JSON.parse(sbomText(release));

test("the bill of materials has every bundled package with its version, license, URL, and SHA-512", () => {
  expect(packages.length).toBeGreaterThan(10);
  for (const { name, version, license } of packages) {
    const found = bom.components.find((each) => each.name === name && each.version === version);
    expect(found, name).toMatchObject({ type: "library", licenses: [expect.anything()] });
    expect(JSON.stringify(found?.licenses)).toContain(license);
    expect(found?.purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect(found?.hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

test("the bill of materials has Bun with what it links, and each executable with its SHA-256", () => {
  const bun = bom.components.find(({ type }) => type === "platform");
  expect(bun).toMatchObject({ purl: "pkg:npm/%40oven/bun-linux-x64@1.4.5", hashes: [{ content: "0102" }] });
  expect(bun?.components?.map(({ name }) => name)).toEqual(BUN_PARTS.map(({ name }) => name));
  const executable = bom.components.find(({ name }) => name === "relayctl-linux-x64");
  expect(executable).toMatchObject({ type: "application", hashes: [{ alg: "SHA-256", content: "ab" }] });
});

test("every dependency in the bill of materials is one of its components, and no reference is there twice", () => {
  const all = [bom.metadata.component, ...bom.components, ...bom.components.flatMap((each) => each.components ?? [])];
  const references = all.map((component) => component["bom-ref"]);
  expect(new Set(references).size).toBe(references.length);
  for (const { ref, dependsOn } of bom.dependencies)
    expect(references).toEqual(expect.arrayContaining([ref, ...dependsOn]));
});

test("the bill of materials depends on the release alone: its time is that of the commit", () => {
  expect(bom.metadata.timestamp).toBe("2026-01-02T03:04:05.000Z");
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(sbomText({ ...release, packages: [...packages].reverse() })).toBe(sbomText(release));
  expect(JSON.parse(sbomText({ ...release, commit: "beef" })).serialNumber).not.toBe(bom.serialNumber);
});

test("a hash of an unknown kind is rejected, not copied", () => {
  const [first] = packages;
  if (!first) throw new Error("no package is bundled");
  expect(() => sbomText({ ...release, packages: [{ ...first, integrity: "md4-AQI=" }] })).toThrow("md4-AQI=");
});

test("LICENSES.txt has relayctl's license, each package's, and that of everything that Bun links", () => {
  const text = licensesText({ root, bunVersion: "1.4.5" });
  expect(text).toContain("Bun 1.4.5");
  for (const { name, version } of packages) expect(text).toContain(`- ${name} ${version}: `);
  for (const { name, license, source, copyright = "" } of BUN_PARTS) {
    expect(text).toContain(name);
    expect(text).toContain(`${license}\n  ${source}\n`);
    expect(text).toContain(copyright);
  }
  expect(text).toContain("GNU LESSER GENERAL PUBLIC LICENSE\n");
  expect(text).toContain("GNU LIBRARY GENERAL PUBLIC LICENSE\n");
  expect(text).toContain("3. Neither the name of the copyright holder");
  expect(text).toMatch(/Apache License\n\s+Version 2\.0/);
});
