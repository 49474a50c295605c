import { exited } from "../helpers/exited.ts";
import { bash, newFolder } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";
import { inTerminal } from "./terminal/terminal.ts";

const LIST = "relayctl --demo relayers list";
const ESCAPE = "\u001b[";

test("prints a table with colors and a count on a terminal", async () => {
  const { shown } = await exited(0, inTerminal(LIST));
  expect(shown).toContain("ID");
  expect(shown).toContain(ESCAPE);
  expect(shown).toMatch(/8 relayers · demo/);
});

test.each([
  ["TERM=dumb", { TERM: "dumb" }],
  ["NO_COLOR=1", { NO_COLOR: "1" }],
])("%s: prints no escape sequences", async (_, env) => {
  const { shown } = await exited(0, inTerminal(LIST, { env }));
  expect(shown).toContain("ID");
  expect(shown).not.toContain("\u001b");
});

test("hides whole columns on a terminal with 20 columns, keeps IDs and states, and says so", async () => {
  const { shown } = await exited(0, inTerminal(LIST, { columns: 20, env: { NO_COLOR: "1" } }));
  expect(shown).toContain("\n● xlm-treasury  active\n");
  expect(shown.replaceAll(/\n +/g, " ")).toContain("4 columns hidden for width: name, network, notification, address");
});

test("aligns columns after a name with an emoji", async () => {
  const folder = newFolder();
  await exited({ exitCode: 0 }, bash("relayctl --demo relayers update base-hot --name '🦊 狐 fox'", { folder }));
  const { shown } = await inTerminal(LIST, { folder, columns: 140, env: { NO_COLOR: "1" } });
  const [base = "", main = ""] = shown.split("\n").filter((row) => /^● (base-hot|eth-main-1)/.test(row));
  const asWide = base.replace("🦊 狐 fox", "12 45 fox");
  expect(asWide).not.toBe(base);
  expect(asWide.indexOf("base  ")).toBe(main.indexOf("mainnet"));
});

test("a login prompts for the server and the token, and never shows the token", async () => {
  const { env } = await serve();
  const folder = newFolder();
  const typed = [
    { after: "Server URL", keys: `${env.RELAYCTL_SERVER}\r` },
    { after: "Token", keys: `${env.RELAYCTL_TOKEN}\r` },
  ];
  const { shown } = await exited(0, inTerminal("relayctl auth login", { folder, typed }));
  expect(shown).toContain(`signed in to ${env.RELAYCTL_SERVER} as context default (8 relayers seen)`);
  expect(shown).not.toContain(env.RELAYCTL_TOKEN);
  expect(await bash("relayctl relayers list -o name", { folder })).toMatchObject({ exitCode: 0 });
});
