import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactsOf } from "../../../scripts/release/artifacts.js";
import { type Builders, buildRelease } from "../../../scripts/release/build-release.js";
import { differingFiles } from "../../../scripts/release/checksums.js";
import { releaseOptions } from "../../../scripts/release/options.js";
import { PLATFORMS } from "../../../scripts/release/platforms.js";

const ABOUT = { version: "1.2.3", hash: "c0ffee", epoch: 1_767_323_045, isClean: true };

async function release(replaced: Partial<Builders> = {}, platforms = PLATFORMS) {
  const into = mkdtempSync(join(tmpdir(), "relayctl-release-"));
  onTestFinished(() => rmSync(into, { recursive: true, force: true }));
  writeFileSync(join(into, "SHA256SUMS"), "of an older release");
  const lines: string[] = [];
  const asked: unknown[] = [];
  const write = (name: string, text: string) => {
    writeFileSync(join(into, name), text);
    return join(into, name);
  };
  const builders: Builders = {
    licensesText: async () => "licenses\n",
    buildTarball: async () => void write("relayctl-1.2.3.tgz", "package"),
    buildExecutable: async ({ file }) => write(file, file),
    buildDeb: async (deb) => {
      asked.push({ epoch: deb.epoch, version: deb.version });
      return write(`relayctl_1.2.3_${deb.platform.deb}.deb`, "deb");
    },
    buildOciLayout: async ({ executables }) =>
      write("relayctl-1.2.3-oci.tar", executables.map(({ executable }) => readFileSync(executable, "utf8")).join("+")),
    sbomText: async (executables) => JSON.stringify(executables.map((each) => each.sha256)),
    ...replaced,
  };
  const given = { about: ABOUT, platforms, into, builders, say: (line: string) => void lines.push(line), now: () => 0 };
  const ended = await buildRelease(given).catch((error: Error) => error);
  return { into, lines, asked, ended };
}

test("a release has every file that it announces, with checksums that sha256sum accepts", async () => {
  const { into, lines, asked } = await release();
  const names = artifactsOf(ABOUT.version, PLATFORMS);
  expect(readdirSync(into).sort()).toEqual([...names, "SHA256SUMS"].sort());
  expect(execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: into, encoding: "utf8" })).toBe(
    [...names]
      .sort()
      .map((name) => `${name}: OK\n`)
      .join(""),
  );
  expect(lines.map((line) => line.split(" ")[0])).toEqual([...names, "SHA256SUMS"]);
  expect(asked).toEqual(Array(2).fill({ epoch: ABOUT.epoch, version: "1.2.3" }));
  expect(readFileSync(join(into, "relayctl-1.2.3-oci.tar"), "utf8")).toBe("relayctl-linux-x64+relayctl-linux-arm64");
});

test.each(["buildTarball", "buildExecutable", "buildDeb", "buildOciLayout", "sbomText"])(
  "if %s fails, there is no SHA256SUMS, also none of an older release",
  async (name) => {
    const failing = () => Promise.reject(new Error("disk full"));
    const { into, ended } = await release({ [name]: failing });
    expect(ended).toMatchObject({ message: "disk full" });
    expect(existsSync(join(into, "SHA256SUMS"))).toBe(false);
  },
);

test("a builder that writes no file fails the release", async () => {
  const { into, ended } = await release({ buildTarball: async () => {} });
  expect(ended).toMatchObject({ message: expect.stringContaining("relayctl-1.2.3.tgz") });
  expect(existsSync(join(into, "SHA256SUMS"))).toBe(false);
});

test("with platforms that have no image and no Debian package, a release has neither", async () => {
  const { into } = await release(
    {},
    PLATFORMS.filter(({ name }) => name === "windows-x64"),
  );
  expect(readdirSync(into).sort()).toEqual([
    "LICENSES.txt",
    "SHA256SUMS",
    "relayctl-1.2.3.cdx.json",
    "relayctl-1.2.3.tgz",
    "relayctl-windows-x64.exe",
  ]);
});

test("two releases are compared by name: what differs, and what one has alone", () => {
  const first = "aa  same\nbb  changed\ncc  gone\n";
  expect(differingFiles(first, first)).toEqual([]);
  expect(differingFiles(first, "aa  same\nbd  changed\ndd  new\n")).toEqual(["changed", "gone", "new"]);
});

describe("npm run release", () => {
  const clean = { hash: "c0ffee", epoch: 1, isClean: true };

  test("builds all platforms, or those of --only in their usual order", () => {
    expect(releaseOptions([], clean)).toMatchObject({ platforms: PLATFORMS, isCheck: false });
    const { platforms, isCheck } = releaseOptions(["--check", "--only", "windows-x64,linux-x64"], clean);
    expect([isCheck, platforms.map(({ name }) => name)]).toEqual([true, ["linux-x64", "windows-x64"]]);
  });

  test.each([
    [["--only", "linux"], clean, 'unknown platform "linux" in --only: use linux-x64, '],
    [["--only", ""], clean, 'unknown platform "" in --only'],
    [["--fast"], clean, "--fast"],
    [["now"], clean, "now"],
    [[], { ...clean, isClean: false }, "the checkout has changes"],
    [["--allow-dirty"], undefined, "this is not a git checkout"],
  ])("rejects %j with the checkout %j", (args, commit, message) => {
    expect(() => releaseOptions(args, commit)).toThrow(message);
  });

  test("builds a checkout with changes if that is allowed", () =>
    expect(releaseOptions(["--allow-dirty"], { ...clean, isClean: false }).commit.isClean).toBe(false));
});
