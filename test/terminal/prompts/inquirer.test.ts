import { PassThrough, Writable } from "node:stream";
import { RelayctlError } from "../../../src/errors.ts";
import { streamsForPeople } from "../../../src/terminal/prompts/ascii-stream.ts";
import { createPrompts, type QuestionDrawing } from "../../../src/terminal/prompts/inquirer.ts";
import type { Prompts } from "../../../src/terminal/prompts.ts";
import { createStyle, type Style } from "../../../src/terminal/style.ts";

let plain: Style;
beforeAll(async () => {
  plain = await createStyle(false);
});

function terminal(interrupt?: AbortSignal, drawing?: QuestionDrawing) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  const prompts = createPrompts({ input, output, ...(interrupt && { interrupt }) }, drawing ?? { style: plain });
  return { prompts, input, type: (keys: string) => input.write(keys), shown: () => shown };
}

test("a question has a cyan mark, and the name of a protected context in inverse video", async () => {
  const { prompts, type, shown } = terminal(undefined, { style: await createStyle(true), context: "prod" });
  const asked = prompts.text('Pause 3 relayers in prod? Type "prod" to confirm:');
  type("prod\r");
  await asked;
  expect(shown()).toContain(
    '\u001b[36m?\u001b[39m Pause 3 relayers in \u001b[7mprod\u001b[27m? Type "prod" to confirm:',
  );
});

test.each(["y\r", "y", "\u0003"])("what was typed before a question, %j, agrees to nothing", async (before) => {
  const input = new PassThrough();
  const output = new PassThrough().once("data", () => setImmediate(() => input.write("n\r")));
  const clock = { sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  const prompts = createPrompts({ input, output, clock }, { style: plain });
  input.write(before);
  const asked = prompts.confirm("Send it?");
  if (before === "\u0003") await expect(asked).rejects.toMatchObject({ failure: "interrupted" });
  else expect(await asked).toBe(false);
});

describe("a yes/no question", () => {
  test.each([
    ["y\r", true],
    ["Yes\r", true],
    ["n\r", false],
    ["\r", false],
    ["maybe\r\b\b\b\b\bn\r", false],
  ])("%j returns %s", async (keys, answer) => {
    const { prompts, type } = terminal();
    const asked = prompts.confirm("Send it?");
    type(keys);
    expect(await asked).toBe(answer);
  });

  test("shows the question with [y/N]", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.confirm("Send it?");
    type("n\r");
    await asked;
    expect(shown()).toContain("Send it? [y/N]");
  });

  test("escapes line breaks and escape sequences in the question", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.confirm("delete x\nProceed? yes\u001b]52;c;x\u0007?");
    type("n\r");
    await asked;
    expect(shown()).toContain("delete x\\u{a}Proceed? yes\\u{1b}]52;c;x\\u{7}?");
  });
});

describe("a text question", () => {
  test("returns the typed text or the default", async () => {
    const typing = terminal();
    const typed = typing.prompts.text("Server URL:");
    typing.type("https://a.example.org\r");
    expect(await typed).toBe("https://a.example.org");
    const accepting = terminal();
    const accepted = accepting.prompts.text("Context:", { default: "default" });
    accepting.type("\r");
    expect(await accepted).toBe("default");
    expect(accepting.shown()).toContain("Context: [default]");
  });

  test("repeats the question with the reason until the text is valid", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.text("New cap:", { validate: (answer) => (answer === "12" ? true : "needs a\nnumber") });
    type("1\r");
    await new Promise((resolve) => setImmediate(resolve));
    type("2\r");
    expect(await asked).toBe("12");
    expect(shown()).toContain("needs a\\u{a}number");
  });
});

test("hidden text is not shown, not even as dots, and no key makes it visible", async () => {
  const { prompts, type, shown } = terminal();
  const asked = prompts.hidden("Token (hidden):");
  type("hunter2\u0014\r");
  expect(await asked).toBe("hunter2");
  expect(shown()).toContain("Token (hidden):");
  expect(shown()).not.toMatch(/hunter|\*|toggle/);
});

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const colours = ["red", "green", "blue"].map((name) => ({ value: name.length, name }));

describe("a selection from a few entries", () => {
  test("uses the arrow keys, and does not wrap around", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.select("Colour:", colours);
    type(UP + DOWN + DOWN + DOWN + UP);
    type("\r");
    expect(await asked).toBe(5);
    expect(shown()).toContain("> red");
    expect(shown()).toContain("? Colour: green");
  });

  test("starts at the default", async () => {
    const { prompts, type } = terminal();
    const asked = prompts.select("Colour:", colours, { default: 4 });
    type("\r");
    expect(await asked).toBe(4);
  });

  test("rejects a disabled entry, and shows why", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.select("Colour:", [
      { value: 1, name: "red", disabled: "sold out" },
      { value: 2, name: "green", description: "as grass" },
    ]);
    type("\r");
    await new Promise((resolve) => setImmediate(resolve));
    type(`${DOWN}\r`);
    expect(await asked).toBe(2);
    expect(shown()).toContain("red (sold out)");
    expect(shown()).toContain("this entry cannot be selected now");
    expect(shown()).toContain("as grass");
  });

  test("escapes control characters, and uses no color", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.select("Which?", [
      { value: 1, name: "a\u001b[2J", description: "b\u202e", short: "c\u0007" },
      { value: 2, name: "x", disabled: "d\n" },
    ]);
    type("\r");
    await asked;
    expect(shown()).toContain("a\\u{1b}[2J");
    expect(shown()).toContain("b\\u{202e}");
    expect(shown()).toContain("x (d\\u{a})");
    expect(shown()).toContain("? Which? c\\u{7}");
    expect(shown()).not.toMatch(/\u001b\[[0-9;]*m/);
  });
});

describe("a selection from many entries", () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ value: index, name: `relayer-${index}` }));

  test("searches while the user types, and never shows the whole list", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.search("Relayer:", [...many, { value: -1, name: "xlm-pay", description: "Stellar testnet" }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(shown()).toContain("relayer-9");
    type("TEST pay");
    await new Promise((resolve) => setImmediate(resolve));
    type("\r");
    expect(await asked).toBe(-1);
    expect(shown()).not.toContain("relayer-20");
    expect(shown()).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  test("says that nothing matches", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.search("Relayer:", many);
    type("nothing");
    await new Promise((resolve) => setImmediate(resolve));
    type("\r\u0003");
    await expect(asked).rejects.toMatchObject({ failure: "interrupted" });
    expect(shown()).toContain("nothing matches");
  });
});

describe("a selection of several entries", () => {
  test("marks entries with the space bar", async () => {
    const { prompts, type, shown } = terminal();
    const asked = prompts.checkbox("Colours:", colours);
    type(` ${DOWN}${DOWN} \r`);
    expect(await asked).toEqual([3, 4]);
    expect(shown()).toContain("> [x] red");
    expect(shown()).toContain("? Colours: red, blue");
    expect(shown()).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  test("may be empty", async () => {
    const { prompts, type } = terminal();
    const asked = prompts.checkbox("Colours:", colours);
    type("\r");
    expect(await asked).toEqual([]);
  });
});

describe("an unfinished question", () => {
  const ask = (prompts: Prompts, way: keyof Prompts) =>
    way === "select" || way === "search" || way === "checkbox" ? prompts[way]("?", colours) : prompts[way]("?");
  const ways = ["confirm", "text", "hidden", "select", "search", "checkbox"] as const;

  test.each(ways)("%s: Ctrl-C returns interrupted, 130", async (way) => {
    const { prompts, type } = terminal();
    const asked = ask(prompts, way);
    type("\u0003");
    await expect(asked).rejects.toMatchObject({
      failure: "interrupted",
      exitCode: 130,
      message: "Canceled. Nothing was sent.",
    });
  });

  test.each(ways)("%s: Ctrl-D returns declined, 3", async (way) => {
    const { prompts, type } = terminal();
    const asked = ask(prompts, way);
    type("\u0004");
    await expect(asked).rejects.toMatchObject({
      failure: "declined",
      exitCode: 3,
      message: "Canceled. Nothing was sent.",
    });
  });

  test.each(ways)("%s: the end of the input returns declined", async (way) => {
    const { prompts, input } = terminal();
    const asked = ask(prompts, way);
    input.end();
    await expect(asked).rejects.toMatchObject({ failure: "declined" });
  });

  test("a signal from outside ends the question with the signal's own reason", async () => {
    const interrupt = new AbortController();
    const { prompts } = terminal(interrupt.signal);
    const asked = prompts.confirm("?");
    const reason = new RelayctlError("terminated", "terminated");
    interrupt.abort(reason);
    await expect(asked).rejects.toMatchObject({ failure: "terminated", because: ["nothing was sent"] });
  });
});

test("a second question works after the first", async () => {
  const { prompts, type } = terminal();
  const first = prompts.confirm("First?");
  type("y\r");
  expect(await first).toBe(true);
  const second = prompts.confirm("Second?");
  type("n\r");
  expect(await second).toBe(false);
});

test("asks in ASCII where the locale is not UTF-8, and returns the input", async () => {
  const input = new PassThrough();
  const terminal = Object.assign(new PassThrough(), { columns: 50, rows: 20 });
  let shown = "";
  terminal.on("data", (chunk) => {
    shown += chunk;
  });
  const { output } = streamsForPeople({ output: terminal }, { LANG: "C" });
  expect(output).toMatchObject({ columns: 50, rows: 20 });
  const prompts = createPrompts({ input, output }, { style: await createStyle(false) });
  const asked = prompts.select("Cap · 80 gwei → 120 gwei?", [{ value: 1, name: "set…" }]);
  setImmediate(() => input.write("\r"));
  expect(await asked).toBe(1);
  expect(shown).toContain("? Cap - 80 gwei -> 120 gwei?");
  expect(shown).toContain("up/down move - enter select");
  expect(shown).toMatch(/^[\r\n\u001b\x20-\x7e]*$/);
});

test("a terminal that does not know its size has 80 columns and 24 rows", async () => {
  const input = new PassThrough();
  const terminal = Object.assign(new PassThrough(), { columns: 0, rows: 0 });
  let shown = "";
  terminal.on("data", (chunk) => {
    shown += chunk;
  });
  const asked = createPrompts({ input, output: terminal }, { style: plain }).confirm("Pause base-hot in local?");
  setImmediate(() => input.write("y\r"));
  expect(await asked).toBe(true);
  expect(shown).toContain("Pause base-hot in local? [y/N]");
});

test("the stream itself is used where the locale is UTF-8", () => {
  const stream = new PassThrough();
  expect(streamsForPeople({ output: stream }, { LANG: "C.UTF-8" }).output).toBe(stream);
});

test("only the stream of a closed terminal fails, not what draws on it", async () => {
  const failures: string[] = [];
  const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error("write EIO")) });
  gone.on("error", ({ message }) => failures.push(message));
  const { output } = streamsForPeople({ output: gone }, { LANG: "C" });
  output.on("error", () => failures.push("of the drawing"));
  await new Promise((resolve) => output.write("Pause?", resolve));
  expect(failures).toEqual(["write EIO"]);
});
