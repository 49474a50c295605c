import fc from "fast-check";
import { drawTop, topRowsInView } from "../../../src/commands/top/draw.ts";
import { reduceTop, type TopStep } from "../../../src/commands/top/reduce.ts";
import type { Source, TopEvent, TopState } from "../../../src/commands/top/state.ts";
import type { Relayer } from "../../../src/contract/resources/relayer.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { listedHealth } from "../../../src/relayer-state/health.ts";
import { createStyle, type Style } from "../../../src/terminal/style.ts";
import { textWidth } from "../../../src/terminal/width.ts";
import { runs } from "../../helpers/deep.ts";

const NOW = Date.parse("2026-11-21T03:12:07Z");

function relayer(id: string, more: object = {}): Relayer {
  return {
    id,
    name: id,
    network: "mainnet",
    network_type: "evm",
    paused: false,
    system_disabled: false,
    ...more,
  } as Relayer;
}

function source(relayers: readonly Relayer[], more: Partial<Source> = {}): Source {
  const seen = { found: relayers.map(listedHealth), missing: [], body: new Uint8Array() };
  return {
    ...{ name: "prod", flags: ["-c", "prod"], isProtected: false, seen, readAt: NOW },
    ...{ hours: new Map(), jams: new Map(), fees: new Map() },
    ...more,
  };
}

function screen(sources: readonly Source[], more: Partial<TopState> = {}): TopState {
  return {
    ...{ columns: 100, rows: 24, now: NOW, sources, sorts: [undefined, "relayer.id"], sort: 0 },
    ...{ filter: "", where: [], pages: [], events: [] },
    ...more,
  };
}

const same = <T>(value: T) => value;
let plain: Style;
let colored: Style;
beforeAll(async () => {
  [plain, colored] = [await createStyle(false), await createStyle(true)];
});

function typed(state: TopState, ...keys: readonly string[]): TopStep {
  return keys.reduce<TopStep>((step, key) => reduceTop(step.state, { type: "key", key, now: NOW }), { state });
}

const shown = (state: TopState) => drawTop(state, { style: plain, masked: same, isAscii: false });

const HOSTILE = fc.oneof(
  fc.constantFrom(
    "\u001b[2J",
    "\u001b]8;;https://evil.example/\u001b\\",
    "\u009b31m",
    "\n",
    "\u202e",
    "日本",
    "-x",
    "constructor",
    "__proto__",
  ),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);
const KEYS = fc.constantFrom(
  ...["up", "down", "j", "k", "page-up", "page-down", "home", "last", "enter", "escape", "q", "?", "/", "s"],
  ...["u", "b", "p", "r", "d", "w", "y", "n", "x", "=", "backspace", "ctrl-u"],
);
const RELAYER = fc
  .record({
    ...{ id: HOSTILE, name: HOSTILE, network: HOSTILE, paused: fc.boolean(), system_disabled: fc.boolean() },
    disabled_reason: fc.oneof(HOSTILE, fc.constant(null)),
  })
  .map(({ id, ...more }) => relayer(id, more));
const EVENT: fc.Arbitrary<TopEvent> = fc.oneof(
  { weight: 6, arbitrary: KEYS.map((key) => ({ type: "key" as const, key, now: NOW })) },
  fc
    .record({ columns: fc.integer({ min: 40, max: 300 }), rows: fc.integer({ min: 10, max: 60 }) })
    .map((size) => ({ type: "resize" as const, ...size, now: NOW })),
  fc
    .record({ relayers: fc.array(RELAYER, { maxLength: 30 }), text: HOSTILE, name: fc.constantFrom("prod", "eu") })
    .map(({ relayers, text, name }) => ({
      ...{ type: "read" as const, events: [{ text }], now: NOW },
      source: source(relayers, { name, trouble: text === "" ? undefined : { message: text, since: NOW } }),
    })),
  fc.record({ id: HOSTILE, tx: HOSTILE, text: HOSTILE }).map(({ id, tx, text }) => ({
    ...{ type: "transactions" as const, target: { context: "prod", relayerId: id }, now: NOW },
    transactions: [{ id: tx, status: text, hash: text, to: text }] as unknown as Transaction[],
  })),
  HOSTILE.map((text) => ({ type: "said" as const, text, now: NOW })),
);

test("whatever is read and typed, the picture has the size of the terminal, and no byte of the service acts", () => {
  fc.assert(
    fc.property(fc.array(RELAYER, { maxLength: 40 }), fc.array(EVENT, { maxLength: 40 }), (relayers, events) => {
      let state = screen([source(relayers), source([], { name: "eu" })]);
      for (const event of events) {
        state = reduceTop(state, event).state;
        const look = { style: event.type === "key" ? colored : plain, masked: same, isAscii: event.type === "resize" };
        const lines = drawTop(state, look);
        expect(lines.length).toBe(state.rows);
        for (const line of lines) {
          const text = line.replaceAll(/\u001b\[[0-9;]*m/g, "");
          expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
          expect(textWidth(text)).toBeLessThanOrEqual(state.columns);
        }
      }
    }),
    runs(15, 3_000),
  );
});

describe("the list", () => {
  const three = () => screen([source([relayer("b", { paused: true }), relayer("a"), relayer("c")])]);

  test("the worst is first in all contexts: disabled, paused, jammed, and then the others", () => {
    const jams = new Map([
      ["stuck", "jammed at 7"],
      ["held", "jammed at 2"],
    ]);
    const here = source([relayer("held", { paused: true }), relayer("well"), relayer("stuck")], { jams });
    const there = source([relayer("off", { system_disabled: true }), relayer("fine")], { name: "eu" });
    const ids = (state: TopState) => topRowsInView(state).rows.map(({ relayer: { id } }) => id);
    expect(ids(screen([here, there]))).toEqual(["off", "held", "stuck", "well", "fine"]);
    expect(ids(typed(screen([here, there]), "s").state)).toEqual(["fine", "held", "off", "stuck", "well"]);
  });

  test("the selection moves by keys, and stays on its relayer when the order changes", () => {
    const { state } = typed(three(), "down", "j");
    expect(state.selected).toEqual({ context: "prod", id: "c" });
    const turned = { ...state, sources: [source([relayer("c"), relayer("a"), relayer("b")])] };
    expect(topRowsInView(turned).selected).toBe(0);
  });

  test("a filter of words matches IDs, names, networks, and states, and one with an operator is a condition", () => {
    const [each] = three().sources;
    const jammed = screen(each ? [{ ...each, jams: new Map([["c", "jammed at 7"]]) }] : []);
    const ids = (...keys: string[]) =>
      topRowsInView(typed(jammed, "/", ...keys, "enter").state).rows.map(({ relayer: { id } }) => id);
    expect([ids(..."jammed"), ids(..."paused")]).toEqual([["c"], ["b"]]);
    const word = typed(three(), "/", "b", "enter");
    expect(topRowsInView(word.state).rows.map(({ relayer: { id } }) => id)).toEqual(["b"]);
    const condition = typed(three(), "/", ..."relayer.paused=false", "enter");
    expect(topRowsInView(condition.state).rows.map(({ relayer: { id } }) => id)).toEqual(["a", "c"]);
  });

  test.each([
    ["colour=red", "unknown field of a relayer"],
    ["relayer.paused=yes", "needs true or false"],
    ["relayer.paused!=1", "needs true or false"],
  ])("the filter %s, which cannot be used, says why, and stays open; Escape leaves the old one", (filter, why) => {
    const { state } = typed(three(), "/", ...filter, "enter");
    expect(shown(state).at(-1)).toContain(`/${filter}_  ${why}`);
    expect(typed(state, "escape").state).toMatchObject({ typing: undefined, filter: "" });
  });

  test("a filter of text still applies after its field became true or false", () => {
    const { state } = typed(three(), "/", ..."relayer.name=b", "enter");
    const changed = { ...state, sources: [source([relayer("a", { name: true }), relayer("b")])] };
    expect(topRowsInView(changed).rows.map(({ relayer: { id } }) => id)).toEqual(["b"]);
  });

  test("Escape removes the filter first, and then quits, as q does at once", () => {
    const filtered = typed(three(), "/", "b", "enter").state;
    expect(typed(filtered, "escape")).toMatchObject({ state: { filter: "" } });
    expect(typed(filtered, "escape", "escape").effect).toEqual({ kind: "quit" });
    expect(typed(filtered, "q").effect).toEqual({ kind: "quit" });
  });

  test("a relayer and a transaction open with Enter, and q and Escape go back", () => {
    const open = typed(three(), "down", "enter");
    expect(open.effect).toMatchObject({ kind: "open", page: { kind: "relayer", target: { relayerId: "a" } } });
    const target = { context: "prod", relayerId: "a" };
    const transactions = [{ id: "t1" }, { id: "t2" }] as Transaction[];
    const read = reduceTop(open.state, { type: "transactions", target, transactions, now: NOW }).state;
    const deeper = typed(read, "down", "enter");
    expect(deeper.effect).toMatchObject({ page: { kind: "transaction", target: { transactionId: "t2" } } });
    expect(typed(deeper.state, "q", "escape").state.pages).toEqual([]);
  });
});

describe("keys that act", () => {
  const one = () => screen([source([relayer("base-hot")])]);

  test.each([
    ["u", ["relayers", "unstick", "base-hot"]],
    ["b", ["tx", "bump", "base-hot"]],
    ["d", ["doctor", "base-hot", "--no-pager"]],
    ["w", ["relayers", "get", "base-hot", "--web"]],
  ])("%s runs the very command with the flags of its context", (key, words) => {
    expect(typed(one(), key).effect).toEqual({ kind: "run", argv: ["-c", "prod", ...words] });
  });

  test.each([
    ["p", "pause", "Pause base-hot in prod? [y/N]"],
    ["r", "resume", "Resume base-hot in prod? [y/N]"],
  ])("%s asks first, and only a y after the question is shown means yes", (key, verb, question) => {
    const { state, effect } = typed(one(), key);
    expect(effect).toBeUndefined();
    expect(shown(state).at(-1)).toBe(`? ${question}`);
    expect(typed(state, "y", "Y")).toEqual({ state });
    const asked = reduceTop(state, { type: "painted", asking: state.asking, now: NOW }).state;
    expect(typed(asked, "y").effect).toEqual({ kind: "run", argv: ["-c", "prod", "relayers", verb, "base-hot"] });
    for (const no of ["enter", "escape", "n", "q", "space", key]) {
      const refused = typed(asked, no);
      expect(refused.effect).toBeUndefined();
      expect(shown(refused.state).at(-1)).toBe("Canceled. Nothing was sent.");
    }
  });

  test("an ID that would be read as a flag is not acted on", () => {
    const { state, effect } = typed(screen([source([relayer("--yes")])]), "p");
    expect(effect).toBeUndefined();
    expect(state.message).toContain("read as a flag");
  });
});

test("no hash of an open transaction is cut, however narrow the terminal is or becomes", () => {
  const hash = `0x${"ab".repeat(32)}`;
  const target = { context: "prod", relayerId: "a", transactionId: "t" };
  const page = { kind: "transaction" as const, target, offset: 0 };
  const open = screen([source([relayer("a")])], { columns: 70, rows: 10, pages: [page] });
  const lines = [`\u001b[2mhash\u001b[0m       ${hash}`, ...Array.from({ length: 7 }, (_, index) => `line ${index}`)];
  let { state } = reduceTop(open, { type: "lines", target, lines, now: NOW });
  for (const columns of [70, 40, 60]) {
    ({ state } = reduceTop(state, { type: "resize", columns, rows: 10, now: NOW }));
    expect(
      shown(state)
        .map((line) => line.trimEnd())
        .join(""),
    ).toContain(hash);
  }
  expect(shown(typed(state, "last").state).join("\n")).toContain("line 6");
});

test("the reason has room on a narrow screen, before the bar and the last hour", () => {
  const hours = new Map([["eth-main-1", [0, 0, 1, 0, 2, 4, 0, 0]]]);
  const disabled = { system_disabled: true, disabled_reason: { type: "NonceSyncFailed", details: "timeout" } };
  for (const columns of [60, 80]) {
    const state = screen([source([relayer("eth-main-1", disabled)], { hours })], { columns, rows: 10 });
    expect(shown(state)[2]).toContain("nonce sync fa");
  }
});

test("a service that does not respond leaves its last picture, in gray, with the time since when", () => {
  const away = { trouble: { message: "connection refused", since: NOW } };
  const lines = drawTop(screen([source([relayer("a"), relayer("b")], away)]), {
    style: colored,
    masked: same,
    isAscii: false,
  });
  expect(lines[0]).toContain("no response since 03:12:07Z: connection refused");
  expect(lines[3]).toMatch(/^\u001b\[2m● b/);
});

test("--where decides which relayers are counted, and of which events are shown", () => {
  const read = source([relayer("kept"), relayer("hidden")]);
  const where = ["relayer.id=kept"];
  const events = [
    { id: "kept", text: "active → paused" },
    { id: "hidden", text: "added, active" },
    { text: "no response" },
  ];
  const { state } = reduceTop(screen([source([])], { where }), { type: "read", source: read, events, now: NOW });
  expect(state.events.map(({ text }) => text)).toEqual(["kept  active → paused", "no response"]);
  expect(shown(state)[0]).toMatch(/^prod {3}1 relayer {2}1 ● /);
});

test("a protected context says so, and a slower pace is shown", () => {
  const [header] = shown(screen([source([relayer("a")], { isProtected: true, slower: 8_000 })]));
  expect(header).toMatch(/^prod PROTECTED {3}1 relayer {2}1 ● {3}too many requests, slower: every 8s +03:12:07Z$/);
});

test("base fees are drawn with their trend, and relayers with their last hour", () => {
  const fees = new Map([["mainnet", [10n ** 10n, 12n * 10n ** 9n, 11n * 10n ** 9n]]]);
  const hours = new Map([["a", [0, 0, 1, 0, 2, 4, 0, 0]]]);
  const lines = shown(screen([source([relayer("a")], { fees, hours })]));
  expect(lines[0]).toContain("mainnet 11 gwei ▁█▅");
  expect(lines[2]).toContain("▁▁▃▁▅█▁▁");
});

test("an ASCII terminal gets ASCII", () => {
  const hours = new Map([["a", [0, 0, 1, 0, 2, 4, 0, 0]]]);
  const lines = drawTop(screen([source([relayer("a")], { hours })]), { style: plain, masked: same, isAscii: true });
  expect(lines.join("")).toMatch(/^[\x20-\x7e]*$/);
});

test.each([40, 60, 80, 120, 200, 300])("at %i columns the ID and the state of a relayer are there", (columns) => {
  const lines = shown(screen([source([relayer("eth-main-1", { paused: true })])], { columns, rows: 10 }));
  expect(lines[2]).toMatch(/^‖ eth-main-1 {2}paused/);
});
