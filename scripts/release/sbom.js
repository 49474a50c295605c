import { createHash } from "node:crypto";
import { BUN_PARTS } from "./bun-parts.js";

/**
 * Returns the bill of materials of a release in CycloneDX 1.6: the packages in the bundle, Bun for each executable, and the
 * executables. The same release gives the same bytes.
 * @param {object} release
 * @param {string} release.version
 * @param {string} release.commit
 * @param {number} release.epoch the time of the commit, in seconds
 * @param {readonly (import("../bundled.js").BundledPackage & { integrity: string })[]} release.packages
 * @param {readonly { file: string, sha256: string, bun: { name: string, version: string, license: string, integrity: string } }[]} release.executables
 */
export function sbomText({ version, commit, epoch, packages, executables }) {
  const program = { ...packageComponent({ name: "relayctl", version, license: "MIT" }), type: "application" };
  const inBundle = packages.map((each) => ({
    ...packageComponent(each),
    externalReferences: [{ type: "vcs", url: each.source }],
  }));
  const components = [
    ...inBundle,
    ...executables.map(({ bun }) => ({ ...packageComponent(bun), type: "platform", components: partsOf(bun) })),
    ...executables.map(({ file, sha256 }) => ({
      ...{ type: "application", "bom-ref": file, name: file, version },
      hashes: [{ alg: "SHA-256", content: sha256 }],
    })),
  ].sort(byReference);
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: { ...program, properties: [{ name: "relayctl:commit", value: commit }] },
    },
    components,
    dependencies: [
      { ref: program["bom-ref"], dependsOn: inBundle.map(referenceOf).sort() },
      ...executables.map(({ file, bun }) => ({
        ref: file,
        dependsOn: [program["bom-ref"], packageUrl(bun)].sort(),
      })),
    ],
  };
  return `${JSON.stringify({ ...bom, serialNumber: serialNumberOf(bom) }, null, 2)}\n`;
}

const referenceOf = (component) => component["bom-ref"];

function byReference(left, right) {
  return referenceOf(left) < referenceOf(right) ? -1 : 1;
}

function packageComponent({ name, version, license, integrity }) {
  const purl = packageUrl({ name, version });
  return {
    ...{ type: "library", "bom-ref": purl, name, version, licenses: licensesOf(license), purl },
    ...(integrity && { hashes: [hashOf(integrity)] }),
  };
}

/** Returns the package URL of a package of npm: the `@` of a scope is escaped. */
function packageUrl({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function partsOf({ name }) {
  return BUN_PARTS.map(({ name: part, license, source }) => ({
    ...{ type: "library", "bom-ref": `${name}#${part}`, name: part, licenses: licensesOf(license) },
    externalReferences: [{ type: "vcs", url: source }],
  }));
}

/** Returns an ID of SPDX, an expression, or the name of a license that has neither. */
function licensesOf(license) {
  if (/^[\w.-]+$/.test(license)) return [{ license: { id: license } }];
  return / (?:AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { name: license } }];
}

const ALGORITHMS = { sha512: "SHA-512", sha256: "SHA-256", sha1: "SHA-1" };

/** Converts the integrity of a lock file, e.g. `sha512-…` in base64. */
function hashOf(integrity) {
  const [, name, digest] = /^(\w+)-(.+)$/.exec(integrity) ?? [];
  const alg = ALGORITHMS[name];
  if (!alg) throw new Error(`unknown integrity ${integrity}`);
  return { alg, content: Buffer.from(digest, "base64").toString("hex") };
}

/** Returns a UUID of the content, so that the same release has the same one. */
function serialNumberOf(bom) {
  const hex = createHash("sha256").update(JSON.stringify(bom)).digest("hex");
  const variant = ((Number.parseInt(hex[16], 16) & 0x3) | 0x8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
