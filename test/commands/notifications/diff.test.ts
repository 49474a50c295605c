import { cli, ends, SERVER } from "../../helpers/cli.ts";
import { appliedIn } from "../../helpers/receipts.ts";

const FILES = { key: "a-signing-key-of-more-than-32-characters" };

test.each([
  ["--url https://x.example", "  url  https://hooks.example.org/relayers/ops → https://x.example\n"],
  ["--signing-key-file key", "  signing key  set → another\n"],
  ["--remove-signing-key", "  signing key  set → none\nthe signing key is removed: deliveries will be unsigned\n"],
])("%s --dry-run --diff shows the change, and reads but writes nothing", async (flags, told) => {
  const ran = await cli(`notifications update ops-hook ${flags} --dry-run --diff`, { files: FILES });
  expect(ran).toMatchObject({ exitCode: 0, writes: [] });
  expect(ran.requests.map(({ target }) => target)).toEqual(["/api/v1/notifications/ops-hook"]);
  expect(ran.stderr).toBe(
    `update notification ops-hook in ${SERVER}\n${told}dry run: the current state was read, nothing was changed at ${SERVER}\n`,
  );
});

test("the question shows old and new values", async () => {
  const line = "notifications update ops-hook --remove-signing-key --url https://x.example";
  const ran = await ends({ exitCode: 3, writes: [] }, line, { terminal: true, answers: [false] });
  expect(ran.stderr).toContain(
    "  url          https://hooks.example.org/relayers/ops → https://x.example\n  signing key  set → none\n",
  );
});

test("without --diff and a terminal, nothing is read, and the receipt shows only the new values", async () => {
  const ran = await cli("notifications update ops-hook --url https://x.example --signing-key-file key", {
    files: FILES,
  });
  expect(ran.requests).toHaveLength(1);
  expect(ran.stderr).toContain(`${appliedIn(SERVER)}ops-hook url → https://x.example, signing key → set\n`);
});
