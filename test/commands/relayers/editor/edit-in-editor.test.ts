import { type Edit, type EditorReading, editorLoop } from "../../../../src/commands/relayers/editor/edit-in-editor.ts";
import type { ServerStore } from "../../../../src/embedded-server/state/store.ts";
import { cancelError, RelayctlError, usageError } from "../../../../src/errors.ts";
import { cli, exited, exitedSaying, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { drawnChange, UNDO_LABEL } from "../../../helpers/receipts.ts";
import type { ScriptedEdit } from "../../../helpers/scripted-editor.ts";
import { demoStore } from "../../../helpers/seed-state.ts";
import { refusal, success } from "../../../helpers/service/reply.ts";
import { lost, scriptedService } from "../../../helpers/service/scripted-service.ts";

const FILE = "/tmp/relayctl-editor/eth-main-1.jsonc";
const KEPT = `  the file is kept: ${FILE}\n`;

const edit = (edits: readonly ScriptedEdit[], world: World = {}, flags = "") =>
  cli(`relayers edit eth-main-1 --editor${flags}`, { terminal: true, edits, ...world });

const replacing =
  (from: string, to: string): ScriptedEdit =>
  (text) =>
    text.replace(from, to);
const same: ScriptedEdit = (text) => text;
const CAP = (text: string) => text.replace("80000000000,", '"120gwei",');

describe("a change", () => {
  test("is reviewed, confirmed, read once more, and sent as the smallest patch", async () => {
    const ran = await edit([CAP], { answers: [true], stdoutTerminal: false });
    expect(ran.requests.map(({ method, body }) => [method, body])).toEqual([
      ["GET", undefined],
      ["GET", undefined],
      ["GET", undefined],
      ["PATCH", '{"policies":{"gas_price_cap":120000000000}}'],
    ]);
    expect(ran).toMatchObject({
      exitCode: 0,
      questions: ["Update relayer eth-main-1 in http://127.0.0.1:8080?"],
      editor: { isKept: false },
    });
    expect(ran.stderr).toBe(
      `update relayer eth-main-1 in ${SERVER}\n` +
        "  gas_price_cap  80 gwei → 120 gwei\n" +
        `${drawnChange(SERVER, "eth-main-1")}gas_price_cap  80 gwei → 120 gwei\n` +
        `${UNDO_LABEL}relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei\n` +
        "without questions: relayctl relayers update eth-main-1 --policy gas_price_cap=120gwei\n",
    );
  });

  test("that allows every receiver requires the relayer's ID", async () => {
    const ran = await cli("relayers edit eth-main-2 --editor", {
      terminal: true,
      edits: [(text) => text.replace(/"whitelist_receivers": \[[^\]]*\]/, '"whitelist_receivers": null')],
      answers: ["eth-main-2"],
    });
    expect(ran).toMatchObject({
      exitCode: 0,
      questions: [expect.stringMatching(/^Update relayer .+\? Type "eth-main-2" to confirm:$/)],
    });
    expect(ran.stderr).toContain("whitelist_receivers is unset: this relayer may send to any address\n");
  });

  test("of all masked URLs is sent, and no output shows the new URL", async () => {
    const urls = '"custom_rpc_urls": [{"url": "https://new.example/v2/KEY"}]';
    const ran = await edit([(text) => text.replace(/"custom_rpc_urls": \[[^\]]*\]/, urls)], { answers: [true] });
    expect(ran.writes.map(({ body }) => body)).toEqual(['{"custom_rpc_urls":[{"url":"https://new.example/v2/KEY"}]}']);
    expect(ran.stdout + ran.stderr).not.toContain("KEY");
    expect(ran.editor.shown[0]).toContain('"url": "https://rpc.example.org/***"');
  });

  test.each([
    ["--dry-run", "PATCH /api/v1/relayers/eth-main-1"],
    ["--curl", "curl -X PATCH"],
  ])("is printed with %s, along with the changes", async (flag, shown) => {
    const ran = await edit([CAP], {}, ` ${flag}`);
    expect(ran).toMatchObject({ exitCode: 0, writes: [], questions: [], editor: { isKept: false } });
    expect(ran.stdout).toContain(shown);
    expect(ran.stderr).toContain("  gas_price_cap  80 gwei → 120 gwei\n");
  });
});

describe("sends nothing and deletes the file", () => {
  test.each<[string, ScriptedEdit]>([
    ["if the file is closed unchanged", same],
    ["if only comments change", (text) => text.replace(/^ *\/\/.*\n/gm, "")],
    ["if a value only differs in format", replacing("80000000000,", '"0.00000008eth",')],
  ])("%s: exits with 0", async (_, change) => {
    const ran = await exited({ exitCode: 0, writes: [], questions: [], editor: { isKept: false } }, edit([change]));
    expect(ran.stderr).toBe("no changes; nothing was sent\n");
  });

  test("if the file is emptied: exits with 3", async () => {
    const ran = await exited({ exitCode: 3, writes: [], editor: { isKept: false } }, edit([() => ""]));
    expect(ran.stderr).toBe("error: the file is empty; nothing was sent\n");
  });

  test("if the editor does not exist: exits with 2", async () => {
    const ran = await edit([usageError([{ where: "the editor ($EDITOR, ed)", rule: "cannot be run" }])]);
    expect(ran).toMatchObject({ exitCode: 2, writes: [], editor: { isKept: false } });
  });

  test.each([
    ["without a terminal", { terminal: false }, "", "no terminal is attached"],
    ["with --no-input", {}, " --no-input", "--no-input rules out prompts"],
    ["in CI", { env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, CI: "1" } }, "", "CI rules out prompts"],
  ])("%s, without opening an editor: exits with 3", async (_, world: World, flags, why) => {
    const ran = await exited({ exitCode: 3, requests: [], editor: { shown: [] } }, edit([], world, flags));
    expect(ran.stderr).toContain(`relayers edit opens an editor, but ${why}`);
  });
});

describe("sends nothing and keeps the file", () => {
  test("if the editor fails: exits with 3", async () => {
    const ran = await edit([new RelayctlError("declined", "the editor (vi) ended with status 1")]);
    expect(ran).toMatchObject({ exitCode: 3, writes: [], editor: { isKept: true } });
    expect(ran.stderr).toBe(`error: the editor (vi) ended with status 1\n${KEPT}`);
  });

  test("if an invalid text is closed unchanged: exits with 2, with positions in the file", async () => {
    const ran = await edit([replacing('"paused": false', '"paused": 1'), same]);
    expect(ran).toMatchObject({ exitCode: 2, writes: [], editor: { isKept: true } });
    expect(ran.stderr).toBe(`error: line 13 column 3, paused 1: true or false\n${KEPT}`);
    expect(ran.editor.shown[1]?.split("\n")[12]).toContain('"paused": 1');
  });

  test("if the review is declined: exits with 3", async () => {
    const ran = await exited({ exitCode: 3, writes: [], editor: { isKept: true } }, edit([CAP], { answers: [false] }));
    expect(ran.stderr).toContain(`Canceled. Nothing was sent.\n${KEPT}`);
  });

  test("after Ctrl-C in the review: exits with 130", async () => {
    const ran = await edit([CAP], { answers: [cancelError("interrupted")] });
    expect(ran).toMatchObject({ exitCode: 130, writes: [], editor: { isKept: true } });
    expect(ran.stderr).toContain(KEPT);
  });

  test("if someone else changed the same field: exits with 6", async () => {
    const store = demoStore();
    const ran = await edit([besides(store, "--policy gas_price_cap=90gwei", CAP)], { store, answers: [true] });
    expect(ran).toMatchObject({ exitCode: 6, writes: [], editor: { isKept: true } });
    expect(ran.stderr).toContain(
      "policies.gas_price_cap of eth-main-1 changed in the meantime\n  gas_price_cap 80 gwei → 90 gwei\n",
    );
    expect(ran.stderr).toContain("hint: relayctl relayers edit eth-main-1 --editor\n");
    expect(ran.stderr).toContain(KEPT);
  });
});

/** An edit while another person changes the relayer too. */
function besides(store: ServerStore, flags: string, change: (text: string) => string): ScriptedEdit {
  return async (text) => {
    await cli(`relayers update eth-main-1 ${flags}`, { store });
    return change(text);
  };
}

test("keeps a concurrent change of another field", async () => {
  const store = demoStore();
  const ran = await edit([besides(store, "--name Theirs", CAP)], { store, answers: [true] });
  expect(ran).toMatchObject({ exitCode: 0, editor: { isKept: false } });
  expect(ran.writes.map(({ body }) => body)).toEqual(['{"policies":{"gas_price_cap":120000000000}}']);
});

test("opens an invalid text again with its problems at the top, and sends it once corrected", async () => {
  const ran = await edit([replacing("80000000000,", '"80gwe",'), replacing('"80gwe"', '"90gwei"')], {
    answers: [true],
  });
  expect(ran.editor.shown[1]).toMatch(
    /^\/\/! 1 problem, nothing was sent\. .*\n\/\/! {3}line \d+ column 5, policies\.gas_price_cap 80gwe: has an unknown unit/,
  );
  expect(ran).toMatchObject({ exitCode: 0, editor: { isKept: false } });
  expect(ran.writes.map(({ body }) => body)).toEqual(['{"policies":{"gas_price_cap":90000000000}}']);
});

test("opens a refused text again, and sends it once corrected", async () => {
  const before = { expect: "GET /api/v1/relayers/eth-main-1", reply: success({ id: "eth-main-1", name: "Mainnet 1" }) };
  const after = success({ id: "eth-main-1", name: "Right" });
  const refused = { reply: refusal(400, "Invalid name") };
  const service = scriptedService(before, before, refused, before, { reply: after }).transport;
  const ran = await exited(
    { exitCode: 0, editor: { isKept: false } },
    edit([replacing('"Mainnet 1"', '"Wrong"'), replacing('"Wrong"', '"Right"')], { service, answers: [true, true] }),
  );
  expect(ran.writes.map(({ body }) => body)).toEqual(['{"name":"Wrong"}', '{"name":"Right"}']);
});

describe("keeps the file if the service does not accept the change:", () => {
  const before = { expect: "GET /api/v1/relayers/eth-main-1", reply: success({ id: "eth-main-1", name: "Mainnet 1" }) };
  const rename = replacing('"Mainnet 1"', '"Main"');

  test("a refused text that is closed unchanged exits with 7, with the equivalent command", async () => {
    const service = scriptedService(before, before, { reply: refusal(400, "Invalid name") }).transport;
    const ran = await edit([rename, same], { service, answers: [true] });
    expect(ran).toMatchObject({ exitCode: 7, editor: { isKept: true } });
    expect(ran.editor.shown[1]).toContain("//!   Invalid name\n");
    expect(ran.stderr).toContain(KEPT);
    expect(ran.stderr).toContain("  again    relayctl relayers update eth-main-1 --name Main\n");
  });

  test("a lost response exits with 11", async () => {
    const service = scriptedService(before, before, { failure: lost() }, before).transport;
    await exitedSaying({ exitCode: 11, editor: { isKept: true } }, edit([rename], { service, answers: [true] }), KEPT);
  });
});

describe("the loop of an edit", () => {
  const TEXT = "// a comment\n{}\n";

  /** An editor that does one thing after the other, and keeps what it was shown. */
  function editor(...edits: readonly ((text: string) => string)[]) {
    const shown: string[] = [];
    const edit = async (text: string) => {
      const next = edits[shown.length];
      if (!next) throw new Error(`the editor was opened once too often, with:\n${text}`);
      shown.push(text);
      return next(text);
    };
    return { edit, shown };
  }

  /** Reads a text that says so as good; each line with `bad` in it is a problem. */
  function read(text: string): EditorReading<string> {
    const problems = text.split("\n").flatMap((line, index) => {
      const column = line.indexOf("bad") + 1;
      return column > 0 ? [{ where: `member${index}`, rule: "is bad", place: { line: index + 1, column } }] : [];
    });
    return problems.length > 0 ? { problems } : { value: text };
  }

  /** The loop, and what was read in the end. */
  const edited = (original: string, edit: Edit, reading: typeof read) =>
    editorLoop(original, edit, reading, async (value) => value);

  const same = (text: string) => text;
  const to = (text: string) => () => text;

  describe("the editor", () => {
    test("returns a changed text", async () => expect(await edited(TEXT, editor(to("good")).edit, read)).toBe("good"));

    test("returns nothing for an unchanged text", async () =>
      expect(await edited(TEXT, editor(same).edit, read)).toBeUndefined());

    test.each(["", " \n", "// only a comment\n/* and another */"])("cancels for an empty file: %j", async (left) => {
      await expect(edited(TEXT, editor(to(left)).edit, read)).rejects.toMatchObject({ failure: "declined" });
    });
  });

  describe("an invalid text", () => {
    test("is opened again with every problem at the top, with its current position", async () => {
      const { edit, shown } = editor(to("x\n  bad\nbad\n"), (text) => text.replaceAll("bad", "good"));
      expect(await edited(TEXT, edit, read)).toBe("x\n  good\ngood\n");
      expect(shown[1]).toBe(
        "//! 2 problems, nothing was sent. Correct the text, or close the editor without changes to cancel.\n" +
          "//!   line 5 column 3, member1: is bad\n" +
          "//!   line 6 column 1, member2: is bad\n" +
          "x\n  bad\nbad\n",
      );
    });

    test("has only the problems of the latest text at the top", async () => {
      const { edit, shown } = editor(to("bad\nbad\n"), (text) => text.replace(/bad\n$/, "\n"), same);
      await expect(edited(TEXT, edit, read)).rejects.toThrow();
      expect(shown[2]).toBe(
        "//! 1 problem, nothing was sent. Correct the text, or close the editor without changes to cancel.\n" +
          "//!   line 3 column 1, member0: is bad\n" +
          "bad\n\n",
      );
    });

    test("ends with its problems if it is closed unchanged", () =>
      expect(edited(TEXT, editor(to("bad\nbad"), same).edit, read)).rejects.toMatchObject({
        failure: "usage",
        applied: "no",
        details: [
          { where: "line 4 column 1, member0", rule: "is bad" },
          { where: "line 5 column 1, member1", rule: "is bad" },
        ],
      }));

    test("counts as unchanged if the original text is restored", async () => {
      expect(await edited(TEXT, editor(to("bad"), to(TEXT)).edit, read)).toBeUndefined();
      const [head, problem] = ["//! 1 problem\n", "//!   line 3 column 1, x: is bad\n"];
      expect(await edited(TEXT, editor(to("bad"), to(head + problem + TEXT)).edit, read)).toBeUndefined();
    });

    test("can be emptied to cancel", async () => {
      await expect(edited(TEXT, editor(to("bad"), to("")).edit, read)).rejects.toMatchObject({ failure: "declined" });
      const leaveProblems = (text: string) => text.slice(0, text.lastIndexOf("//!")).concat("//! x\n");
      await expect(edited(TEXT, editor(to("bad"), leaveProblems).edit, read)).rejects.toMatchObject({
        failure: "declined",
      });
    });
  });

  test("fails if the editor fails", async () => {
    const failing = async () => Promise.reject(new Error("the editor ended with status 1"));
    await expect(edited(TEXT, failing, read)).rejects.toThrow("status 1");
  });

  describe("a refused text", () => {
    const refusal = (message: string) =>
      new RelayctlError("rejected", message, { http: { status: 400, method: "PATCH", path: "/" } });
    /** Takes only what says so. */
    const taking = async (text: string | undefined) => {
      if (text?.includes("fine")) return "taken";
      throw refusal(`no: ${text?.trim()}`);
    };

    test("is opened again with the refusal at the top, until it is accepted", async () => {
      const { edit, shown } = editor(to("one\n"), to("two\n"), (text) => text.replace("\ntwo", "\nfine"));
      expect(await editorLoop(TEXT, edit, read, taking)).toBe("taken");
      expect(shown[2]).toBe(
        "//! the service refused this with 400, nothing was applied. Correct the text, or close the editor without changes to cancel.\n" +
          "//!   no: two\n" +
          "two\n",
      );
    });

    test("fails with the refusal if it is closed unchanged", () =>
      expect(editorLoop(TEXT, editor(to("one\n"), same).edit, read, taking)).rejects.toThrow("no: one"));

    test.each([
      ["an unknown outcome", new RelayctlError("unknown", "lost")],
      ["a conflict", new RelayctlError("conflict", "changed meanwhile")],
      [
        "a relayer that no longer exists",
        new RelayctlError("not_found", "gone", {
          http: { status: 404, method: "GET", path: "/" },
        }),
      ],
      [
        "a refusal with an unknown outcome",
        new RelayctlError("rejected", "no", { applied: "unknown", http: { status: 400, method: "PATCH", path: "/" } }),
      ],
    ])("is not opened again after %s", async (_, error) => {
      const { edit, shown } = editor(to("one\n"));
      await expect(editorLoop(TEXT, edit, read, () => Promise.reject(error))).rejects.toBe(error);
      expect(shown).toHaveLength(1);
    });
  });
});
