import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../bundle.js";
import { downloadGlibc } from "./glibc.js";
import { HOME, programFiles, systemFiles, USER, WORK } from "./image-files.js";
import { gzip, tar } from "./tar.js";

const TYPE = "application/vnd.oci.image";
const LABEL = "org.opencontainers.image";

/**
 * Writes a container image for several processors, as a tar of an OCI image layout (version 1.0), and returns its path. The image is made
 * from nothing: the executable, what it links, root certificates, and a user without rights.
 * @param {object} what
 * @param {readonly { platform: import("./platforms.js").Platform, executable: string }[]} what.executables their paths
 * @param {string} what.version as in package.json
 * @param {string} what.commit the whole hash
 * @param {string} what.licenses the licenses of everything in the executable
 * @param {string} what.into the folder that it is written to
 * @param {number} what.epoch time of everything in it, in seconds
 * @param {(architecture: string) => import("./glibc.js").Glibc} [what.glibcFor] downloads it unless set
 * @returns {Promise<string>}
 */
export async function buildOciLayout({
  executables,
  version,
  commit,
  licenses,
  into,
  epoch,
  glibcFor = downloadGlibc,
}) {
  const blobs = {};
  const about = { labels: labelsOf({ version, commit, epoch }), epoch, add: (bytes) => addBlob(blobs, bytes) };
  const manifests = executables.map(({ platform, executable }) =>
    addImage(about, { platform: platform.oci, executable, licenses, glibc: glibcFor(platform.deb) }),
  );
  const images = about.add(json(indexOf(manifests, about.labels)));
  const annotations = { [`${LABEL}.ref.name`]: version, "io.containerd.image.name": `localhost/relayctl:${version}` };
  const named = { ...descriptor("index.v1+json", images), annotations };
  const files = {
    "oci-layout": { content: json({ imageLayoutVersion: "1.0.0" }) },
    "index.json": { content: json(indexOf([named])) },
    ...blobs,
  };
  const path = join(into, `relayctl-${version}-oci.tar`);
  writeFileSync(path, tar(files, { epoch }));
  return path;
}

/** What every image says about itself. */
function labelsOf({ version, commit, epoch }) {
  const { name, description, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const facts = { created: timeOf(epoch), description, licenses: license, revision: commit, title: name, version };
  return Object.fromEntries(Object.entries(facts).map(([fact, value]) => [`${LABEL}.${fact}`, value]));
}

/** Adds the image of one platform, and returns the descriptor of its manifest. */
function addImage({ labels, epoch, add }, { platform, executable, licenses, glibc }) {
  const origin = `libc6 ${glibc.version} of Debian, root certificates of Node.js ${process.versions.node}`;
  const layers = [
    { comment: origin, archive: tar(systemFiles(glibc), { epoch }) },
    { comment: "relayctl", archive: tar(programFiles({ executable, licenses }), { epoch }) },
  ];
  const config = {
    created: timeOf(epoch),
    ...platform,
    config: {
      User: `${USER.id}:${USER.id}`,
      Env: ["PATH=/usr/bin", `HOME=${HOME}`, "LANG=C.UTF-8"],
      Entrypoint: ["/usr/bin/relayctl"],
      WorkingDir: WORK,
      Labels: labels,
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ archive }) => digestOf(archive)) },
    history: layers.map(({ comment }) => ({ created: timeOf(epoch), created_by: "npm run release", comment })),
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: descriptor("config.v1+json", add(json(config))),
    layers: layers.map(({ archive }) => descriptor("layer.v1.tar+gzip", add(gzip(archive, 6)))),
    annotations: labels,
  };
  return { ...descriptor("manifest.v1+json", add(json(manifest))), platform };
}

function indexOf(manifests, annotations) {
  return { schemaVersion: 2, mediaType: `${TYPE}.index.v1+json`, manifests, annotations };
}

function descriptor(type, bytes) {
  return { mediaType: `${TYPE}.${type}`, digest: digestOf(bytes), size: bytes.length };
}

function addBlob(blobs, bytes) {
  blobs[`blobs/${digestOf(bytes).replace(":", "/")}`] = { content: bytes };
  return bytes;
}

function digestOf(bytes) {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}

function timeOf(epoch) {
  return new Date(epoch * 1000).toISOString().replace(".000Z", "Z");
}
