import { type Edit, type EditorReading, editorLoop } from "../../../../src/commands/relayers/editor/edit-in-editor.ts";
import { RelayctlError } from "../../../../src/errors.ts";

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
