import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chosen } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { EDIT_FLOWS } from "./flows/edit.ts";
import { DOCTOR, FLEET, FREEZE, LOGIN, PAYMENTS, ROTATION, SEND, WAIT_FLOWS, WATCH } from "./flows/wait.ts";
import { newFolder, ROOT, relayctl } from "./relayctl.ts";
import { type PausedService, pausedService } from "./terminal/paused-service.ts";
import { record, recordLive } from "./terminal/recording.ts";

/** `npm run sessions` rewrites them. */
test.each(chosen(Object.entries(EDIT_FLOWS), 0))(
  "docs/sessions matches the current relayers edit of the kind %s",
  async (kind, flow) => {
    const { text } = await exited(0, record(`relayctl --demo relayers edit ${flow.id}`, flow.steps));
    await expect(text).toMatchFileSnapshot(`../../docs/sessions/relayers-edit-${kind}.txt`);
  },
);

test.each(chosen(Object.entries(WAIT_FLOWS), 0, 2))(
  "docs/sessions matches the current waits: %s",
  async (name, flow) => {
    const service = await pausedService(newFolder(), flow.dialect);
    const id = flow.isOfSent ? await sendFirst(service) : "";
    const { exitCode, text } = await recordLive(flow.line(id), flow.moments(service), { folder: service.folder });
    expect(exitCode, text).toBe(flow.exitCode);
    await expect(text).toMatchFileSnapshot(`../../docs/sessions/${name}.txt`);
  },
);

test("docs/sessions matches the current freeze and its undo", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  const { text } = await exited(0, recordLive(FREEZE.line, FREEZE.moments, { folder }));
  await expect(text).toMatchFileSnapshot("../../docs/sessions/relayers-freeze.txt");
});

test("docs/sessions matches the current rotation of a signing key", async () => {
  const { folder } = await pausedService(newFolder());
  const { text } = await exited(0, recordLive(ROTATION.line, ROTATION.moments, { folder }));
  await expect(text).toMatchFileSnapshot("../../docs/sessions/notifications-rotate-key.txt");
});

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
  const { text } = await exited(0, recordLive(LOGIN.line, LOGIN.moments, { folder }));
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
  const { text } = await exited(12, recordLive(FLEET.line, FLEET.moments, { folder }));
  await expect(text).toMatchFileSnapshot("../../docs/sessions/fleet-apply.txt");
});

test("docs/sessions matches the current payments of a file", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  copyFileSync(join(ROOT, "docs/examples/payouts/payouts.csv"), join(folder, "payouts.csv"));
  const { text } = await exited(0, recordLive(PAYMENTS.line, PAYMENTS.moments, { folder }));
  await expect(text).toMatchFileSnapshot("../../docs/sessions/tx-send-many.txt");
});

test("docs/sessions matches the current examination whose command is run", async () => {
  const { folder } = await pausedService(newFolder(), "openzeppelin");
  const { text } = await exited(0, recordLive(DOCTOR.line, DOCTOR.moments, { folder }));
  await expect(text).toMatchFileSnapshot("../../docs/sessions/doctor-fix.txt");
});

test("docs/sessions matches the current watch of a fleet, until Ctrl-C", async () => {
  const { folder } = await pausedService(newFolder());
  const pause = () => void relayctl(["relayers", "pause", "base-hot"], { folder });
  const { text } = await exited(0, recordLive(WATCH.line, WATCH.moments(pause), { folder }));
  await expect(text).toMatchFileSnapshot("../../docs/sessions/relayers-list-watch.txt");
});

async function sendFirst({ folder, pass }: PausedService): Promise<string> {
  const { stdout } = await exited(0, relayctl([...SEND.split(" "), "--yes", "-o", "name"], { folder }));
  pass(10);
  return stdout.trim();
}
