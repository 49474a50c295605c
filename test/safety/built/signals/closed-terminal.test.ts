import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../e2e/relayctl.ts";
import { inClosing } from "../../../e2e/terminal/closing.ts";
import { type HoldingService, holdingService } from "./holding-service.ts";

/** A terminal for a command whose editor waits. */
function inEditing(command: string, { env }: HoldingService) {
  const folder = newFolder();
  writeFileSync(join(folder, "editor.sh"), `echo '// typed' >> "$1"; printf 'the editor waits: ' >&2; read -r line\n`);
  const more = { ...env, EDITOR: "sh editor.sh", TMPDIR: folder };
  return { folder, ...inClosing(command, { env: more, folder }) };
}

test("waits for bulk writes in progress, and records each changed relayer in the undo file", async () => {
  const service = await holdingService((request) => request.startsWith("PATCH "));
  const command = "relayers pause r1 r2 r3 r4 --concurrency 2 --yes --undo-file undo";
  const { folder, close } = inEditing(command, service);
  await service.holds(2);
  const ended = close();
  service.release();
  // The responses can arrive before the signal: then the rest is started too.
  const code = await ended;
  expect(service.applied).toEqual(expect.arrayContaining(["PATCH r1", "PATCH r2"]));
  expect(code).toBe(service.applied.length < 4 ? 129 : 0);
  const kept = readFileSync(join(folder, "undo"), "utf8").trimEnd().split("\n");
  expect(kept.map((id) => `PATCH ${id}`).toSorted()).toEqual(service.applied.toSorted());
});

test("sends nothing at an open question", async () => {
  const service = await holdingService(() => false);
  const { sees, close } = inEditing("relayers delete r1", service);
  await sees("[y/N]");
  expect(await close()).toBe(129);
  expect(service.applied).toEqual([]);
});

test("keeps the document of an open editor", async () => {
  const service = await holdingService(() => false);
  const { folder, sees, close } = inEditing("relayers edit r1 --editor", service);
  await sees("the editor waits");
  expect(await close()).toBe(129);
  const [kept = ""] = readdirSync(folder).filter((name) => /^relayctl-[A-Za-z0-9]{6}$/.test(name));
  expect(readFileSync(join(folder, kept, "r1.jsonc"), "utf8")).toContain("// typed");
});
