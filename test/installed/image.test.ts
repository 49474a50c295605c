import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { ROOT } from "../e2e/relayctl.ts";
import { exited, exitedSaying } from "../helpers/exited.ts";
import { tlsService } from "../safety/built/tls-authority.ts";
import { type Layout, readLayout } from "../scripts/release/read-layout.ts";
import { ARCHITECTURE, has, released } from "./release.ts";

const folder = mkdtempSync(join(tmpdir(), "relayctl-image-"));
const archive = released(/-oci\.tar$/);
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
let layout: Layout;

beforeAll(() => {
  layout = readLayout(readFileSync(archive));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Unpacks the image for a processor as a runtime of containers does. */
function unpack(architecture: string): string {
  const root = join(folder, architecture);
  mkdirSync(root, { recursive: true });
  for (const layer of layout.manifestFor(architecture).layers)
    execFileSync("tar", ["-xz", "-C", root], { input: layout.blob(layer, "layer.v1.tar+gzip") });
  return root;
}

/** The part of the image's config that a container is started with. */
interface Start {
  config: { User: string; Env: string[]; Entrypoint: string[]; WorkingDir: string };
}

/** What crun gets: nothing writable, no capability, and what this test adds to the image's config. */
function bundleOf({ args, env, work }: { args: readonly string[]; env: readonly string[]; work?: string }) {
  const { config } = layout.json<Start>(layout.manifestFor(ARCHITECTURE).config, "config.v1+json");
  const [uid, gid] = config.User.split(":").map(Number);
  const files = work && { destination: config.WorkingDir, type: "bind", source: work, options: ["bind", "ro"] };
  return {
    ociVersion: "1.0.0",
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...args],
      env: [...config.Env, ...env],
      cwd: config.WorkingDir,
      noNewPrivileges: true,
      capabilities: {},
    },
    root: { path: join(folder, ARCHITECTURE), readonly: true },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/dev", type: "tmpfs", source: "tmpfs" },
      ...(files ? [files] : []),
    ],
    linux: { namespaces: ["pid", "ipc", "uts", "mount"].map((type) => ({ type })) },
  };
}

/** crun supports cgroups of one version only; where both are mounted, it must not see the second. */
const RUN = "umount /sys/fs/cgroup/unified 2>/dev/null; exec crun --cgroup-manager=disabled run --bundle";

async function run(args: readonly string[], more: { env?: readonly string[]; work?: string } = {}) {
  const bundle = mkdtempSync(join(folder, "bundle-"));
  writeFileSync(join(bundle, "config.json"), JSON.stringify(bundleOf({ args, env: [], ...more })));
  const name = `relayctl-${process.pid}-${bundle.slice(-6)}`;
  const { exitCode, stdout, stderr } = await execa("unshare", ["--mount", "sh", "-c", `${RUN} ${bundle} ${name}`], {
    reject: false,
    stdin: "ignore",
  });
  return { exitCode, stdout, stderr };
}

/** Containers inside of a container may not mount anything. */
const canRun = has("crun", "unshare") && spawnSync("unshare", ["--mount", "true"]).status === 0;

describe.skipIf(!canRun)(
  "run by crun with nothing writable and no capability (skipped without crun and mounts)",
  () => {
    beforeAll(() => void unpack(ARCHITECTURE));

    test("relayctl prints the version of the release", async () =>
      expect(await run(["--version"])).toEqual({ exitCode: 0, stdout: version, stderr: "" }));

    test("relayctl lists the relayers of the embedded server", async () => {
      const { exitCode, stdout } = await run(["--demo", "relayers", "list", "-o", "name"]);
      expect([exitCode, stdout.split("\n").length]).toEqual([0, 8]);
    });

    test("a command without a server ends with an error, not with a crash", () =>
      exitedSaying({ exitCode: 2, stdout: "" }, run(["relayers", "list"]), /^error: no server configured/));

    test("https works with the certificate of --ca-file, and is refused without it", async () => {
      const body = '{"success":true,"data":[],"error":null}';
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      const service = await tlsService(head + body);
      if (service === undefined) throw new Error("this machine has no openssl to make a certificate with");
      const env = [`RELAYCTL_SERVER=${service.origin}`, "RELAYCTL_TOKEN=a-token-of-the-test"];
      const typed = ["relayers", "list", "-o", "json"];
      const refused = await run(typed, { env });
      expect([refused.exitCode, service.received()]).toEqual([10, ""]);
      const work = mkdtempSync(join(folder, "work-"));
      copyFileSync(service.caFile, join(work, "ca.pem"));
      // The user of the image reads the files of another user.
      chmodSync(work, 0o755);
      await exited({ exitCode: 0, stdout: "[]" }, run([...typed, "--ca-file", "ca.pem"], { env, work }));
      expect(service.received()).toMatch(/^authorization: Bearer a-token-of-the-test\r$/im);
    });
  },
);

test("nothing in the image can be run but relayctl and the loader", () => {
  for (const architecture of ["amd64", "arm64"]) {
    const files = [...layout.filesFor(architecture)];
    const programs = files.filter(([, { type, mode }]) => type !== "folder" && (mode & 0o111) !== 0);
    expect(programs.map(([path]) => path.replace(/^lib(?:64)?\/ld-linux-.*/, "loader")).sort()).toEqual([
      "loader",
      "usr/bin/relayctl",
    ]);
  }
});

test.skipIf(!has("ldd"))("the image holds every library that the executable links (skipped without ldd)", async () => {
  const { stdout } = await execa("ldd", [join(unpack(ARCHITECTURE), "usr/bin/relayctl")]);
  const wanted = [...stdout.matchAll(/^\s+(?:\S+ => )?(\/\S+)/gm)].map(([, path]) => String(path).split("/").at(-1));
  const held = [...layout.filesFor(ARCHITECTURE).keys()].map((path) => path.split("/").at(-1));
  expect(wanted).toContain("libc.so.6");
  expect(wanted.filter((name) => !held.includes(name))).toEqual([]);
});

const emulator = "qemu-aarch64-static";

test.skipIf(!has(emulator))(`the image for arm64 runs with ${emulator} (skipped without it)`, async () => {
  const root = unpack("arm64");
  expect(await execa(emulator, ["-L", root, join(root, "usr/bin/relayctl"), "--version"])).toMatchObject({
    stdout: version,
  });
});

test.skipIf(!has("skopeo")).each(["amd64", "arm64"])(
  "skopeo finds the image for %s (skipped without skopeo)",
  async (name) => {
    const { stdout } = await execa("skopeo", ["--override-arch", name, "inspect", `oci-archive:${archive}`]);
    expect(JSON.parse(stdout)).toMatchObject({
      Os: "linux",
      Architecture: name,
      Labels: { "org.opencontainers.image.version": version },
    });
  },
);
