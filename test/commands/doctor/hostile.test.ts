import { cli } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { argvsUnder } from "../../helpers/shell.ts";
import { examined, hook, NOW, type Sick, stellar, ward, well } from "./sick.ts";

const IDS = [
  "$(rm -rf ~)",
  "`reboot`",
  "a; shutdown -h now #",
  "-rf",
  "--yes",
  "--all",
  'it\'s "quoted" \\ and | piped',
  "line\nbreak\ttab",
  "\u001b[31mred\u001b]0;title\u0007",
  "\u202egnp.exe",
  "=ls",
  "!!",
  "x".repeat(500),
  "*",
  "日本語",
];
const OLD = new Date(NOW - 9 * 3_600_000).toISOString();

/** A service in which every text of a finding and of a command is this one. */
function hostile(text: string): Sick {
  const id = text;
  return {
    relayers: [
      well(
        {
          ...{ id, name: text, paused: true, notification_id: undefined },
          custom_rpc_urls: [{ url: "https://rpc.example.org/" }],
        },
        { gas_price_cap: undefined },
      ),
      well({ id: `${id}2`, network: text, system_disabled: true, disabled_reason: { type: text } }),
      stellar({ id: `${id}3`, notification_id: `${id}hook` }),
    ],
    more: {
      notifications: [hook({ id: `${id}hook`, signing_key: undefined, url: "http://h.example.org" }), hook({ id })],
      transactions: [1, 2].map((number) => ({
        ...{ id: `${text}${number}`, relayer_id: `${id}3`, status: "submitted", created_at: OLD },
        ...{ status_reason: text, source_account: "G" },
      })) as never,
    },
  };
}

describe.each(sampled(IDS, 3))("doctor and a service whose texts are %j", (text) => {
  test("prints no character that acts on a terminal, and one line for each row", async () => {
    for (const stream of [{ terminal: true, columns: 80 }, {}]) {
      const { stdout, stderr } = await cli("doctor --color never", { ...ward(hostile(text)).world, ...stream });
      expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
    const { stdout } = await cli("doctor", ward(hostile(text)).world);
    for (const line of stdout.split("\n").slice(0, -1)) expect(line.split("\t")).toHaveLength(7);
  });

  test("prints commands that a shell reads as they are meant", async () => {
    const { findings } = await examined(ward(hostile(text)).world);
    const commands = findings.flatMap(({ command, advice }) =>
      [command, advice].filter((line): line is string => line?.startsWith("relayctl ") === true),
    );
    expect(commands.length).toBeGreaterThan(5);
    const typed = argvsUnder("/bin/bash", "relayctl", commands.join("\n"));
    expect(typed).toHaveLength(commands.length);
    for (const [index, words] of typed.entries()) {
      const own = words.filter(
        (word) => word !== "--" && !/^(?:--?[a-z-]+|[a-z]+|[A-Z]+|gas_price_cap=.*|https?:.*)$/.test(word),
      );
      expect(
        own.filter((word) => !word.includes(text)),
        commands[index],
      ).toEqual([]);
    }
  });
});

test.each(["--all", "--yes", "-rf", "$(reboot)", "*"])("--fix changes relayer %s and no other", async (id) => {
  const relayers = [well({ id, paused: true }), well({ id: "r2", address: `0x${"2".repeat(40)}`, paused: true })];
  const { world } = ward({ relayers });
  const ran = await cli("doctor --fix --only REL-PAUSED", {
    ...world,
    terminal: true,
    columns: 200,
    answers: [true, false],
  });
  expect(ran.stderr).toContain("1 command was run\n");
  expect(ran.writes.map(({ method, target }) => [method, decodeURIComponent(target)])).toEqual([
    ["PATCH", `/api/v1/relayers/${id}`],
  ]);
});
