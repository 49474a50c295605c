import type { JsonObject } from "../../../src/contract/json.ts";
import { printTableFields, printTableItems } from "../../../src/terminal/render/table.ts";
import type { ResourceView } from "../../../src/terminal/view.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { base, eth2, relayer, relayerView } from "../sample-relayers.ts";

const signed: Pick<ResourceView, "table" | "sign"> = {
  table: relayerView.table.slice(0, 3),
  sign: ({ paused }) => (paused === true ? { sign: "paused", tone: "warn" } : { sign: "active", tone: "good" }),
};

async function tableOf(
  items: readonly JsonObject[],
  view: Pick<ResourceView, "table" | "sign">,
  { columns, color = false, ...more }: { columns?: number; color?: boolean; isAscii?: true; isPlain?: true },
) {
  const { out, stdout, notes } = recordingPrinter(columns, color);
  await printTableItems(items, view, true, { ...out, ...more });
  return { stdout: stdout(), notes };
}

const wide = relayer('{"id":"wide","name":"漢字","paused":true}');

test("puts a sign before each row on a terminal, colored as the word that it repeats", async () => {
  expect((await tableOf([base, eth2, wide], signed, { columns: 80 })).stdout).toBe(`\
  ID          NAME       STATE
● base-hot    Base hot   active
‖ eth-main-2  Mainnet 2  paused
‖ wide        漢字       paused
`);
  const colored = (await tableOf([base, eth2], signed, { columns: 80, color: true })).stdout;
  expect(colored).toContain("\u001b[32m●\u001b[39m base-hot");
  expect(colored).toContain("\u001b[33m‖\u001b[39m eth-main-2");
});

test("puts ASCII signs on a terminal that shows ASCII alone, and none into a pipe or before a screen reader", async () => {
  const { stdout } = await tableOf([base, eth2], signed, { columns: 80, isAscii: true });
  expect(stdout).toBe(`\
  ID          NAME       STATE
* base-hot    Base hot   active
= eth-main-2  Mainnet 2  paused
`);
  expect((await tableOf([base], signed, { columns: 80, isPlain: true })).stdout).toMatch(/^ID .*\nbase-hot /);
  expect((await tableOf([base], signed, {})).stdout).toBe("ID        NAME      STATE\nbase-hot  Base hot  active\n");
});

const reasons: ResourceView["table"] = [
  { header: "id", cell: () => ({ text: "2b0d7b5e-4a38-4b0e-9c1d-0e5f6a7b8c9d" }), whole: true },
  {
    header: "state",
    cell: () => ({ text: "disabled · balance below the minimum, or could not be read" }),
    worth: "always",
  },
  { header: "reason", cell: () => ({ text: "a reason that is longer than its column" }), most: 20 },
];

test("cuts a text that is never hidden if it does not fit, and says so", async () => {
  const { stdout, notes } = await tableOf([base], { table: reasons }, { columns: 60 });
  expect(stdout).toBe(`\
ID                                    STATE
2b0d7b5e-4a38-4b0e-9c1d-0e5f6a7b8c9d  disabled · balance be…
`);
  expect(notes).toEqual([
    "1 column hidden for width: reason (-o tsv has all)",
    "long values cut with …: state (-o tsv has all)",
  ]);
});

test("shows more of a cut text where there is space", async () => {
  expect((await tableOf([base], { table: reasons }, { columns: 140 })).stdout).toContain(
    "a reason that is longer than its column\n",
  );
  expect((await tableOf([base], { table: reasons }, { columns: 122 })).stdout).toContain("a reason that is longer…\n");
});

test("draws named fields as blocks where they do not fit into a table", async () => {
  const paths = ["id", "paused", "address"];
  const at = async (columns: number) => {
    const { out, stdout, notes } = recordingPrinter(columns);
    await printTableFields([base, eth2], paths, { resource: {}, headers: true }, out);
    expect(notes).toEqual([]);
    return stdout();
  };
  expect(await at(80)).toMatch(/^ID +PAUSED +ADDRESS\n/);
  expect(await at(60)).toBe(`\
id         base-hot
paused     false
address    0x8ba1f109551bd432803012645ac136ddd64dba72

id         eth-main-2
paused     true
address    0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc
`);
});

describe("a column that gets separate lines", () => {
  const view: Pick<ResourceView, "table" | "sign"> = {
    ...signed,
    table: [
      { header: "name", cell: ({ name }) => ({ text: String(name) }), whole: true },
      { header: "id", cell: ({ id }) => ({ text: String(id) }), whole: true, isBelow: true },
      { header: "state", cell: ({ paused }) => ({ text: paused ? "paused" : "active" }), worth: "always" },
    ],
  };

  test("is below each row if the terminal has no room for it, and is not counted as hidden", async () => {
    const { stdout, notes } = await tableOf([base, eth2], view, { columns: 24 });
    expect(stdout).toBe(`\
  NAME       STATE
  ID
● Base hot   active
  base-hot
‖ Mainnet 2  paused
  eth-main-2
`);
    expect(notes).toEqual([]);
  });

  test("is a column if there is room", async () => {
    const { stdout } = await tableOf([base], view, { columns: 80 });
    expect(stdout).toBe("  NAME      ID        STATE\n● Base hot  base-hot  active\n");
  });

  test("keeps rows apart whose cells are wide, and escapes its own", async () => {
    const { stdout } = await tableOf([{ ...wide, id: "a\nb" }], view, { columns: 20 });
    expect(stdout).toBe("  NAME  STATE\n  ID\n‖ 漢字  paused\n  a\\u{a}b\n");
  });
});
