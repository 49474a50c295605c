import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EDIT_FLOWS } from "./flows/edit.ts";
import { DOCTOR, FLEET, FREEZE, LOGIN, PAYMENTS, ROTATION, SEND, WAIT_FLOWS, WATCH } from "./flows/wait.ts";
import { newFolder, ROOT, relayctl } from "./relayctl.ts";
import { type PausedService, pausedService } from "./terminal/paused-service.ts";
import { record, recordLive } from "./terminal/recording.ts";

/** `npm run sessions` rewrites them. */
test.each(Object.entries(EDIT_FLOWS))(
  "docs/sessions matches the current relayers edit of the kind %s",
  async (kind, flow) => {
    const { exitCode, text } = await record(`relayctl --demo relayers edit ${flow.id}`, flow.steps);
    expect(exitCode, text).toBe(0);
    await expect(text).toMatchFileSnapshot(`../../docs/sessions/relayers-edit-${kind}.txt`);
  },
);

test.each(Object.entries(WAIT_FLOWS))("docs/sessions matches the current waits: %s", async (name, flow) => {
  const service = await pausedService(newFolder(), flow.dialect);
  const id = flow.isOfSent ? await sendFirst(service) : "";
  const { exitCode, text } = await recordLive(flow.line(id), flow.moments(service), { folder: service.folder });
  expect(exitCode, text).toBe(flow.exitCode);
  await expect(text).toMatchFileSnapshot(`../../docs/sessions/${name}.txt`);
});

test("docs/sessions matches the current freeze and its undo", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  const { exitCode, text } = await recordLive(FREEZE.line, FREEZE.moments, { folder });
  expect(exitCode, text).toBe(0);
  await expect(text).toMatchFileSnapshot("../../docs/sessions/relayers-freeze.txt");
});

test("docs/sessions matches the current rotation of a signing key", async () => {
  const { folder } = await pausedService(newFolder());
  const { exitCode, text } = await recordLive(ROTATION.line, ROTATION.moments, { folder });
  expect(exitCode, text).toBe(0);
  await expect(text).toMatchFileSnapshot("../../docs/sessions/notifications-rotate-key.txt");
});

/** A password store with one entry. */
const PASS = `#!/bin/sh
entry="$HOME/entry"
case "$1" in
  insert) cat > "$entry" ;;
  show) [ -e "$entry" ] && exec cat "$entry"; printf another-token ;;
esac
`;

test("docs/sessions matches the current login with a store for the token", async () => {
  const { folder } = await pausedService(newFolder());
  mkdirSync(join(folder, "programs"), { recursive: true });
  writeFileSync(join(folder, "programs/pass"), PASS, { mode: 0o755 });
  const { exitCode, text } = await recordLive(LOGIN.line, LOGIN.moments, { folder });
  expect(exitCode, text).toBe(0);
  const typed = LOGIN.moments[2].keys;
  const steady = text
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replace(`[${typed}, enter]`, "[the token, enter]");
  expect(steady).not.toContain(typed);
  await expect(steady).toMatchFileSnapshot("../../docs/sessions/auth-login-store.txt");
});

test("docs/sessions matches the current plan and its application", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  copyFileSync(join(ROOT, "docs/examples/fleet/config.json"), join(folder, "config.json"));
  const { exitCode, text } = await recordLive(FLEET.line, FLEET.moments, { folder });
  expect(exitCode, text).toBe(12);
  await expect(text).toMatchFileSnapshot("../../docs/sessions/fleet-apply.txt");
});

test("docs/sessions matches the current payments of a file", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  copyFileSync(join(ROOT, "docs/examples/payouts/payouts.csv"), join(folder, "payouts.csv"));
  const { exitCode, text } = await recordLive(PAYMENTS.line, PAYMENTS.moments, { folder });
  expect(exitCode, text).toBe(0);
  await expect(text).toMatchFileSnapshot("../../docs/sessions/tx-send-many.txt");
});

test("docs/sessions matches the current examination whose command is run", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  const { exitCode, text } = await recordLive(DOCTOR.line, DOCTOR.moments, { folder });
  expect(exitCode, text).toBe(0);
  await expect(text).toMatchFileSnapshot("../../docs/sessions/doctor-fix.txt");
});

test("docs/sessions matches the current watch of a fleet, until Ctrl-C", async () => {
  const { folder } = await pausedService(newFolder());
  const pause = () => void relayctl(["relayers", "pause", "base-hot"], { folder });
  const { exitCode, text } = await recordLive(WATCH.line, WATCH.moments(pause), { folder });
  expect(exitCode, text).toBe(0);
  await expect(text).toMatchFileSnapshot("../../docs/sessions/relayers-list-watch.txt");
});

async function sendFirst({ folder, pass }: PausedService): Promise<string> {
  const { exitCode, stdout } = await relayctl([...SEND.split(" "), "--yes", "-o", "name"], { folder });
  expect(exitCode).toBe(0);
  pass(10);
  return stdout.trim();
}
