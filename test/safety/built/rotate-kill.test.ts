import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { newFolder, start } from "../../e2e/relayctl.ts";
import { rawService, reply } from "../../e2e/services/raw.ts";

const HOOK = { id: "ops-hook", type: "webhook", url: "https://hooks.example.org/ops", has_signing_key: true };

test("after kill -9 while the key is being sent, its file holds the key", async () => {
  const folder = newFolder();
  const path = join(folder, "new.key");
  let kill = () => {};
  const service = await rawService((request) => {
    if (request.startsWith("GET")) return reply(200, JSON.stringify({ success: true, data: HOOK }));
    kill();
    return undefined;
  });
  const argv = ["notifications", "rotate-key", "ops-hook", "--generate", "--key-out", "new.key", "--yes"];
  const { child, ended } = start(argv, { folder, env: service.env });
  kill = () => void child.kill("SIGKILL");
  expect((await ended).exitCode).toBeUndefined();
  const sent = JSON.parse(service.requests.at(-1)?.split("\r\n\r\n")[1] ?? "{}");
  expect(sent).toEqual({ signing_key: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([sent.signing_key, 0o600]);
});
