import { openTerminal } from "./terminal/terminal-session.ts";

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";
const TO = "0xde709f2102306220921060314715629080e2fb77";

/** A shell with job control, whose prompt looks like a question. */
const open = (columns = 200) => openTerminal("PS1='? shell ' bash --norc --noprofile --noediting -i", { columns });

async function inShell(line: string) {
  const session = open();
  await session.sees(/\? shell$/);
  session.type(`${line}\r`);
  return session;
}

test("Ctrl-Z at a question returns to the shell, and fg returns to the question with the typed text", async () => {
  const session = await inShell("relayctl --demo tx send eth-main-1 --value 1234567wei --speed fast");
  await session.sees("To:");
  session.type(TO.slice(0, 20));
  await session.sees(new RegExp(`To: ${TO.slice(0, 20)}$`));
  session.type(CTRL_Z);
  await session.sees(/Stopped .*\n\? shell$/);
  session.type("fg\r");
  await session.sees(new RegExp(`shell fg\n.*\n\\? To: ${TO.slice(0, 20)}$`));
  session.type(`${TO.slice(20)}\r`);
  await session.sees(/\[y\/N\]$/);
  session.type(CTRL_Z);
  await session.sees(/Stopped .*\n\? shell$/);
  session.type("fg\r");
  await session.sees(/shell fg\n.*\n\? Send .*\[y\/N\]$/);
  session.type("y\r");
  await session.sees(/follow .*\n\? shell$/);
  session.type("relayctl --demo tx list eth-main-1 -o tsv | grep -cw 1234567; exit\r");
  expect(await session.ended).toMatchObject({ exitCode: 0 });
  expect(session.screen.lines().join("\n")).toMatch(/^1$/m);
});

test("Ctrl-Z in a list keeps the selection, and Ctrl-C after fg ends the command", async () => {
  const session = await inShell("relayctl --demo relayers pause");
  await session.sees("> base-hot");
  session.type("eth");
  await session.sees("> eth-main-1");
  session.type(CTRL_Z);
  await session.sees(/Stopped .*\n\? shell$/);
  expect(session.shown().lastIndexOf("\u001b[?25h")).toBeGreaterThan(session.shown().lastIndexOf("\u001b[?25l"));
  session.type("fg\r");
  await session.sees("> eth-main-1");
  session.type(CTRL_C);
  await session.sees(/Canceled\. Nothing was sent\.\n\? shell$/);
  session.type("exit\r");
  await session.ended;
});

test("Ctrl-Z on a live screen shows the shell's screen, and fg paints the live screen again", async () => {
  const session = await inShell("relayctl --demo relayers status --watch 1s");
  await session.sees(/eth-sepolia/);
  session.type(CTRL_Z);
  await session.sees(/Stopped .*\n\? shell$/);
  session.type("fg\r");
  await session.sees(/eth-sepolia/);
  session.type(CTRL_C);
  await session.sees(/\? shell$/);
  session.type("exit\r");
  await session.ended;
});
