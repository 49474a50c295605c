import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildOciLayout } from "../../../scripts/release/oci.js";
import { PLATFORMS } from "../../../scripts/release/platforms.js";
import { type Layout, type Manifest, readLayout, sha256 } from "./read-layout.ts";

const folder = mkdtempSync(join(tmpdir(), "relayctl-oci-"));
const EPOCH = 1_700_000_000;
const CREATED = "2023-11-14T22:13:20Z";
const COMMIT = "c0ffee".repeat(6) + "cafe";
const IMAGE = "application/vnd.oci.image";

let layout: Layout;

beforeAll(async () => {
  layout = readLayout(readFileSync(await build("first")));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function build(name: string): Promise<string> {
  const into = join(folder, name);
  mkdirSync(into);
  const executables = PLATFORMS.filter(({ oci }) => oci).map((platform) => {
    const executable = join(into, platform.file);
    writeFileSync(executable, `runs on ${platform.name}\n`);
    return { platform, executable };
  });
  const about = { version: "1.2.0", commit: COMMIT, licenses: "Every license\n", epoch: EPOCH };
  const glibcFor = (architecture: string) => ({
    version: "2.36-9",
    files: { [`lib/${architecture}/libc.so.6`]: { content: `libc of ${architecture}` } },
    copyright: Buffer.from("GNU"),
  });
  return buildOciLayout({ ...about, executables, into, glibcFor });
}

test("the archive is a layout of version 1.0 that holds one index with the version as its name", () => {
  expect(layout.files.get("oci-layout")?.content.toString()).toBe('{"imageLayoutVersion":"1.0.0"}');
  expect(layout.index).toMatchObject({ schemaVersion: 2, mediaType: `${IMAGE}.index.v1+json` });
  expect(layout.index.manifests.map(({ annotations }) => annotations)).toEqual([
    { "org.opencontainers.image.ref.name": "1.2.0", "io.containerd.image.name": "localhost/relayctl:1.2.0" },
  ]);
});

test("there is an image for each Linux that an executable is made for", () =>
  expect(layout.images.map(({ platform }) => platform)).toEqual([
    { os: "linux", architecture: "amd64" },
    { os: "linux", architecture: "arm64" },
  ]));

test("every descriptor has the digest, the size, and the type of its blob, and every blob is used", () => {
  const used = layout.images.flatMap((image) => {
    const { config, layers } = layout.json<Manifest>(image, "manifest.v1+json");
    layout.blob(config, "config.v1+json");
    for (const layer of layers) layout.blob(layer, "layer.v1.tar+gzip");
    return [image, config, ...layers];
  });
  const digests = [...layout.index.manifests, ...used].map(({ digest }) => digest);
  const blobs = [...layout.files.keys()].filter((path) => /^blobs\/sha256\/./.test(path));
  expect(new Set(blobs)).toEqual(new Set(digests.map((digest) => `blobs/${digest.replace(":", "/")}`)));
});

test.each(["amd64", "arm64"])("the config for %s starts relayctl as a user without rights", (architecture) => {
  const { config: descriptor, layers } = layout.manifestFor(architecture);
  const { config, rootfs, history, ...about } = layout.json<Record<string, unknown>>(descriptor, "config.v1+json");
  expect(about).toEqual({ created: CREATED, os: "linux", architecture });
  expect(config).toMatchObject({
    User: "65532:65532",
    Entrypoint: ["/usr/bin/relayctl"],
    Env: ["PATH=/usr/bin", "HOME=/home/relayctl", "LANG=C.UTF-8"],
    WorkingDir: "/work",
    Labels: {
      "org.opencontainers.image.created": CREATED,
      "org.opencontainers.image.licenses": "MIT",
      "org.opencontainers.image.revision": COMMIT,
      "org.opencontainers.image.title": "relayctl",
      "org.opencontainers.image.version": "1.2.0",
    },
  });
  const plain = layers.map((layer) => gunzipSync(layout.blob(layer, "layer.v1.tar+gzip")));
  expect(rootfs).toEqual({ type: "layers", diff_ids: plain.map(sha256) });
  expect(history).toHaveLength(layers.length);
});

test.each([
  ["amd64", "linux-x64"],
  ["arm64", "linux-arm64"],
])("the image for %s holds the executable and the libraries of its processor", (architecture, name) => {
  const files = layout.filesFor(architecture);
  expect(files.get("usr/bin/relayctl")).toMatchObject({ type: "file", mode: 0o755, owner: "0:0 root:root" });
  expect(files.get("usr/bin/relayctl")?.content.toString()).toBe(`runs on ${name}\n`);
  expect(files.get(`lib/${architecture}/libc.so.6`)?.content.toString()).toBe(`libc of ${architecture}`);
});

test("the image holds no program but relayctl", () => {
  const files = [...layout.filesFor("amd64")];
  const programs = files.filter(([, { type, mode }]) => type === "file" && (mode & 0o111) !== 0);
  expect(programs.map(([path]) => path)).toEqual(["usr/bin/relayctl"]);
});

test("the user of the image has a home and a working folder, everyone has /tmp, and runtimes have what they mount over", () => {
  const files = layout.filesFor("amd64");
  const owner = "65532:65532 relayctl:relayctl";
  expect(files.get("home/relayctl/")).toMatchObject({ type: "folder", mode: 0o755, owner });
  expect(files.get("work/")).toMatchObject({ type: "folder", mode: 0o755, owner });
  expect(files.get("tmp/")).toMatchObject({ type: "folder", mode: 0o1777, owner: "0:0 root:root" });
  for (const path of ["dev/", "proc/", "sys/"]) expect(files.get(path)).toMatchObject({ type: "folder", mode: 0o755 });
  expect(files.get("etc/passwd")?.content.toString()).toContain("relayctl:x:65532:65532:relayctl:/home/relayctl:");
  expect(files.get("etc/group")?.content.toString()).toContain("relayctl:x:65532:");
});

test("the image holds root certificates that can be read, and the licenses of everything in it", () => {
  const files = layout.filesFor("amd64");
  const certificates = files.get("etc/ssl/certs/ca-certificates.crt")?.content.toString() ?? "";
  expect(certificates).toMatch(/^# .*Mozilla Public License 2\.0/);
  expect(certificates.match(/^-----BEGIN CERTIFICATE-----$/gm)?.length).toBeGreaterThan(100);
  expect(files.get("usr/share/doc/relayctl/LICENSES.txt")?.content.toString()).toBe("Every license\n");
  expect(files.get("usr/share/doc/relayctl/copyright")?.content.toString()).toMatch(/^MIT License/);
  expect(files.get("usr/share/doc/libc6/copyright")?.content.toString()).toBe("GNU");
});

test("everything in the layout and in the image has the time of the release", () => {
  const times = [...layout.files.values(), ...layout.filesFor("amd64").values()].map(({ time }) => time);
  expect(new Set(times)).toEqual(new Set([EPOCH]));
});

test("the layout is the same when it is built again", async () => {
  const again = await build("again");
  expect(again).toBe(join(folder, "again/relayctl-1.2.0-oci.tar"));
  expect(readFileSync(again).equals(readFileSync(join(folder, "first/relayctl-1.2.0-oci.tar")))).toBe(true);
});
