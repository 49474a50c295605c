import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../helpers/cli.ts";

const UNIT = join(import.meta.dirname, "../../deploy/systemd/relayctl-exporter.service");
const unit = readFileSync(UNIT, "utf8");
const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("the unit starts the exporter in read-only mode, with a command line that relayctl takes", async () => {
  const line = /^ExecStart=\/usr\/bin\/relayctl (.*)$/m.exec(unit)?.[1] ?? "";
  const typed = line.replace("%d/token", "token");
  const ran = await cli(typed, {
    env: { RELAYCTL_READONLY: "1", RELAYCTL_SERVER: "http://127.0.0.1:8080" },
    files: { token: "0123456789abcdef0123456789abcdef" },
  });
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining("metrics on http://127.0.0.1:9464/metrics")]);
  expect(unit).toContain("Environment=RELAYCTL_READONLY=1");
});

test.skipIf(!isThere)("systemd takes the unit without a warning", () => {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-unit-"));
  try {
    const path = join(folder, "relayctl-exporter.service");
    writeFileSync(path, unit.replace("/usr/bin/relayctl", "/bin/true"));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
    const about = stderr.split("\n").filter((text) => text.includes("relayctl-exporter"));
    expect([status, about]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
