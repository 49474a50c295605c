import { cli, exits } from "../../helpers/cli.ts";
import { deletedIn } from "../../helpers/receipts.ts";

test("deletes with --yes, and reports the notification and the service", async () => {
  const { stdout, stderr, writes } = await exits(0, "notifications delete audit-log --yes -o json");
  expect(stdout).toBe('{\n  "id": "audit-log",\n  "deleted": true\n}\n');
  expect(stderr).toMatch(new RegExp(`^${deletedIn(".*")}notification audit-log\nthis cannot be undone\n$`));
  expect(writes.map(({ method, target }) => `${method} ${target}`)).toEqual(["DELETE /api/v1/notifications/audit-log"]);
});

test("prints the response with -o raw", async () => {
  const { exitCode, stdout } = await cli("notifications delete audit-log --yes -o raw");
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ success: true })]);
  expect(stdout).not.toContain('deleted":true');
});

test("asks on a terminal, and sends nothing after No", async () => {
  const { writes, questions, stderr } = await exits(3, "notifications delete audit-log", {
    terminal: true,
    answers: ["n"],
  });
  expect(questions).toEqual(["Delete notification audit-log in http://127.0.0.1:8080?"]);
  expect(stderr).toContain("no relayer reports to it");
  expect(writes).toEqual([]);
});

test("requires --yes without a terminal, before any read", async () => {
  const { requests, stderr } = await exits(3, "notifications delete audit-log");
  expect(requests).toEqual([]);
  expect(stderr).toContain("deleting a notification requires confirmation");
  expect(stderr).toContain("relayctl notifications delete audit-log --yes");
});

test("lists the relayers that use the notification, and sends nothing", async () => {
  const { writes, stderr } = await exits(6, "notifications delete treasury-hook --yes");
  expect(stderr).toContain("relayers report to notification treasury-hook: xlm-treasury");
  expect(stderr).toContain("relayctl relayers update xlm-treasury --no-notification-id");
  expect(writes).toEqual([]);
});

test("suggests a command for the same service", async () => {
  const { stderr } = await cli("--demo notifications delete treasury-hook --yes");
  expect(stderr).toContain("hint: relayctl --demo relayers update xlm-treasury --no-notification-id\n");
});

test("exits with 5 for an unknown notification", async () =>
  expect(await cli("notifications delete nothing --yes")).toMatchObject({ exitCode: 5, stdout: "" }));

test("shows the request with --dry-run", async () => {
  const { stdout, requests } = await cli("notifications delete audit-log --dry-run");
  expect(stdout.split("\n")[0]).toBe("DELETE /api/v1/notifications/audit-log");
  expect(requests).toEqual([]);
});
