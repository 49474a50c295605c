import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEEP } from "../helpers/deep.ts";
import { payouts, receiver, receivers } from "../helpers/payouts.ts";
import { newFolder, relayctl } from "./relayctl.ts";
import { type HoldingPayments, holdingPayments } from "./services/holding-payments.ts";
import { inClosing } from "./terminal/closing.ts";
import { uncolored } from "./terminal/terminal.ts";
import { openTerminal, type TerminalSession } from "./terminal/terminal-session.ts";

const CTRL_C = "\u0003";
const ROWS = 18;
const LINE = "relayctl tx send-many base-hot -f payouts.csv --speed fast --state runs --concurrency 2";

interface Paying extends TerminalSession {
  service: HoldingPayments;
  folder: string;
}

async function paying(line: string, service?: HoldingPayments, folder = newFolder()): Promise<Paying> {
  const holding = service ?? (await holdingPayments());
  writeFileSync(join(folder, "payouts.csv"), payouts(ROWS));
  return { service: holding, folder, ...openTerminal(line, { folder, columns: 80, env: holding.env }) };
}

/** What is typed to confirm, on the last lines of a question. */
const QUESTION = /Type\s+"0\.000171eth"\s+to\s+confirm:$/;

async function heldAfter(count: number, { service, sees, type }: Paying): Promise<void> {
  await sees(QUESTION);
  service.holdAfter(count);
  type("0.000171eth\r");
  await service.holds(2);
  await sees(new RegExp(`paying +${count}/${ROWS} `));
}

/** The command that continues, as one types it. */
function resumeLine({ shown }: Pick<TerminalSession, "shown">): string {
  const printed = /continue\s+(relayctl (?:[^\r\n]+ \\\r?\n)*[^\r\n]+)\r?\n/.exec(uncolored(shown()))?.[1] ?? "";
  return printed.replaceAll(/ \\\r?\n +/g, " ");
}

async function resumed({ shown, service, folder }: Paying, left: string): Promise<string> {
  const line = resumeLine({ shown });
  expect(line).toBe(`${LINE} --resume`);
  service.release();
  const { sees, type, ended, screen } = await paying(line, service, folder);
  await sees(new RegExp(`Type\\s+"${left}"\\s+to\\s+confirm:$`));
  type(`${left}\r`);
  expect(await ended).toMatchObject({ exitCode: 0 });
  return screen.lines().join("\n");
}

test("the question shows file, counts, sums, fees, and balance in 80 columns", async () => {
  const { screen, sees, type, ended, service } = await paying(LINE);
  await sees(QUESTION);
  const lines = screen.lines();
  expect(lines.every((line) => [...line].length <= 80)).toBe(true);
  const shown = lines.join("\n").replaceAll(/127\.0\.0\.1:\d+/g, "SERVICE");
  expect(shown).toMatchInlineSnapshot(`
    "pay 0.000171 ETH in 18 payments from base-hot in http://SERVICE
      file      payouts.csv
      sha256    043f72f887f0e0c2f9f2c6a08c6936197fb5707eb10b5287e5925dc92f4ebbfa
      payments  18 payments to 18 receivers
      first     0.000001 ETH  0x0000000000000000000000000000000000000001  row 1
                0.000002 ETH  0x0000000000000000000000000000000000000002  row 2
                0.000003 ETH  0x0000000000000000000000000000000000000003  row 3
      largest   0.000018 ETH  0x0000000000000000000000000000000000000012  row 18
                0.000017 ETH  0x0000000000000000000000000000000000000011  row 17
                0.000016 ETH  0x0000000000000000000000000000000000000010  row 16
      sum       0.000171 ETH
      fees      about 0.000999 ETH
      balance   0.15 ETH → about 0.14883 ETH
      gas       540,000 in total
    ? Pay 0.000171 ETH in 18 payments from base-hot in http://SERVICE? Type
      "0.000171eth" to confirm:"
  `);
  type("\r");
  expect(await ended).toMatchObject({ exitCode: 3 });
  expect(service.paid).toEqual([]);
});

test("Ctrl-C while rows are sent awaits those in progress, and the printed command pays the rest once", async () => {
  const session = await paying(LINE);
  const { service, type, sees, ended, screen } = session;
  await heldAfter(4, session);
  type(CTRL_C);
  await sees(/interrupted while a write is in progress/);
  service.release();
  expect(await ended).toMatchObject({ exitCode: 130 });
  const shown = screen.lines().join("\n");
  expect(service.paid.toSorted()).toEqual(receivers(6));
  expect(shown).toContain("Interrupted. 6 of 18 payments accepted, 12 not started.");
  expect(shown.match(/ sent {2}/g)).toHaveLength(6);
  expect(shown.match(/ waiting {2}/g)).toHaveLength(12);
  expect(await resumed(session, "0.00015eth")).toContain("18 of 18 payments");
  expect(service.paid.toSorted()).toEqual(receivers(ROWS));
});

test.runIf(DEEP)(
  "a second Ctrl-C leaves rows unknown, and the printed command finds them and pays the rest once",
  async () => {
    const session = await paying(LINE);
    const { service, type, sees, ended, screen } = session;
    await heldAfter(4, session);
    type(CTRL_C);
    await sees(/interrupted while a write is in progress/);
    type(CTRL_C);
    expect(await ended).toMatchObject({ exitCode: 130 });
    const shown = screen.lines().join("\n");
    expect(shown).toContain("Interrupted. 4 of 18 payments accepted, 2 unknown, 12 not started.");
    expect(shown).toMatch(
      / 2 unknown: [\d.:]+: interrupted while waiting for the response: row\s+[1-6], row\s+[1-6]\n/,
    );
    expect(service.paid.toSorted()).toEqual(receivers(6));
    expect(await resumed(session, "0.00015eth")).toContain("18 of 18 payments");
    expect(service.paid.toSorted()).toEqual(receivers(ROWS));
  },
);

test("a terminal that closes while rows are sent awaits those in progress, and --resume pays the rest once", async () => {
  const service = await holdingPayments();
  const folder = newFolder();
  writeFileSync(join(folder, "payouts.csv"), payouts(ROWS));
  const { sees, type, close } = inClosing(LINE.slice("relayctl ".length), { env: service.env, folder });
  await sees("to confirm:");
  service.holdAfter(4);
  type("0.000171eth\r");
  await service.holds(2);
  const ended = close();
  await service.holds(2);
  service.release();
  expect([0, 129]).toContain(await ended);
  const args = [...LINE.split(" ").slice(1), "--confirm", "0.000171eth", "--resume"];
  const { exitCode } = await relayctl(args, { env: service.env, folder });
  expect(exitCode).toBe(0);
  expect(service.paid.toSorted()).toEqual(receivers(ROWS));
  expect(service.paid[0]).toBe(receiver(1));
});
