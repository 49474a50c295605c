import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, ROOT } from "./documents.ts";
import { COMPUTED, textsByHeading } from "./texts/collect.ts";
import { HINTS, NOTES, REASONS, RULES } from "./texts/sinks.ts";
import { programSources, Sources } from "./texts/sources.ts";
import { textsIn } from "./texts-in-source.ts";
import { hitLine, SYNTAX_LIST } from "./word-list.ts";

const UPDATE = "if the change is right, update the copy: npx vitest run --project source test/docs/texts.test.ts -u";

const PROGRAM = programSources();

test("every text of the program keeps to the word list, except the recorded hits", async () => {
  // Recorded screens; all other texts are read from the sources, without the embedded server, which repeats the real service's texts.
  const screens = [...filesIn("docs/sessions", ".txt"), ...filesIn("test/commands", ".txt")];
  const sources = [...PROGRAM.files].filter(([file]) => !file.startsWith("src/embedded-server/"));
  expect(screens.length + sources.length).toBeGreaterThan(500);
  const lines = [
    ...screens.flatMap((file) => hitLine(file, readFileSync(join(ROOT, file), "utf8"))),
    ...sources.flatMap(([file, parsed]) => hitLine(file, textsIn(parsed).join("\n"))),
  ];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("word-list-exceptions.txt");
});

test("no text of the program sounds translated", () => {
  const sources = [...PROGRAM.files].filter(([file]) => !file.startsWith("src/embedded-server/"));
  const lines = sources.flatMap(([file, parsed]) => hitLine(file, textsIn(parsed).join("\n"), SYNTAX_LIST));
  expect(lines).toEqual([]);
});

test("the copy for proofreading contains every text that the program prints", async () => {
  const texts = textsByHeading(PROGRAM);
  expect(texts.size).toBeGreaterThan(30);
  const page = [...texts].map(([heading, lines]) => `${[`== ${heading}`, ...lines.map(inOneLine)].join("\n")}\n`);
  await expect(page.join("\n"), UPDATE).toMatchFileSnapshot("texts.txt");
});

function inOneLine(text: string): string {
  return text.replaceAll("\n", "\\n");
}

describe("the copy for proofreading", () => {
  const collected = (...sources: string[]) =>
    Object.fromEntries(textsByHeading(new Sources(new Map(sources.map((text, index) => [`src/${index}.ts`, text])))));

  test("lists an error under its failure, with names in place of values", () => {
    const source =
      "throw new RelayctlError('usage', `unknown $" +
      '{kind} "$' +
      "{one.name}\"`, { because: ['nothing was sent'] });";
    expect(collected(source)).toEqual({
      "Errors: usage": ['unknown {kind} "{one.name}"'],
      [REASONS]: ["nothing was sent"],
    });
  });

  test("lists every branch of a text, and the return values of a function or table", () => {
    const source = [
      'const WORDS = { a: "the first", b: "the second" };',
      "function why(x) { if (x) return 'is empty'; return `has $" + "{x ? 'one' : 'two'} parts`; }",
      "problems.add('--a', why(1));",
      "problems.add('--b', x ? WORDS[x] : 'a' + ' sum');",
    ].join("\n");
    expect(collected(source)).toEqual({
      [RULES]: ["a sum", "has {one|two} parts", "is empty", "the first", "the second"],
    });
  });

  test("follows a parameter to the calls of its function, also in another file", () => {
    const refuse = "export function refuse(text) { throw new RelayctlError('io', text); }";
    const calls = "import { refuse } from './0.ts'; refuse('disk full'); refuse(`$" + "{name} lost`);";
    expect(collected(refuse, calls)).toEqual({ "Errors: io": ["disk full", "{name} lost"] });
  });

  test("lists an expression that cannot be evaluated under its file", () =>
    expect(collected("await call.say(text()); throw new RuleError(rules.pop());")).toEqual({
      [COMPUTED]: ["src/0.ts: rules.pop()", "src/0.ts: text()"],
    }));

  test("lists hints and notes, and all other texts except help", () => {
    const source = [
      "import { a } from './a file.ts';",
      "await say('note: all is well');",
      "usageError(found, undefined, { hint: 'relayctl context list' });",
      "const label = 'not yet used';",
      "command.option('--all', 'List all relayers');",
    ].join("\n");
    expect(collected(source)).toEqual({
      [HINTS]: ["relayctl context list"],
      [NOTES]: ["note: all is well"],
      "Other texts of src/": ["not yet used"],
    });
  });
});

/** The numbers that may stand in help as they are, by the reason: nothing in the program can change them. */
const WRITTEN_OUT: Readonly<Record<string, RegExp>> = {
  "an example, or an amount to type":
    /\be\.g\. [^();]*|'[^']*'|`[^`]*`|\b[\d.]+(?:eth|gwei|wei|xlm)\b|[\w.]+[<>=]+\w+|\blike [^,]*|\bid:7\b/g,
  "an example of a command": /^ *relayctl .*|^eth-main-1 .*|^ +--.*|^0 0 \* \* \* \*$/g,
  "an exit code, which is an interface": /\bexits? (?:with |code )?\d+(?: or \d+)?|\bunknown \(11\)/gi,
  "a status of HTTP": /\b(?:with|status from|as|refuse|default:|code,[^(]*|\() ?\(?[245]\d\d\b(?: to 299)?/g,
  "a format of others":
    /\b(?:64|40)(?= hex| is an address)|\b(?:20|32) bytes of hex|\b0x(?![0-9a-f])|\bRFC 3339|127\.0\.0\.1/g,
  "the lower end of a range, or what is always there": /\b[01]–|\bcounting from 1\b|\b1x(?=–|\))|\b\(?default: 0\b/g,
  "a switch": /\((?:0 or false|0): off\)|\bset to 1\b|\beven if 0\b/g,
  "what the service does": /\babout every 10 seconds\b|\b1 wei\b/g,
};

test("every number in help comes from the program, or cannot change", async () => {
  const pages = filesIn("test/cli/help", ".txt").map((file) => inWords(readFileSync(join(ROOT, file), "utf8")));
  const help = pages.join("\n");
  const parts = [...PROGRAM.files.values()].flatMap(textsIn).flatMap((text) => text.split("…").map(inWords));
  const shown = parts.filter((part) => /\d/.test(part) && part.trim().length > 3 && help.includes(part.trim()));
  expect(shown.length).toBeGreaterThan(50);
  const left = shown.filter((part) =>
    /(?<![\w.#-])\d/.test(Object.values(WRITTEN_OUT).reduce((text, known) => text.replace(known, ""), part)),
  );
  expect(left, "use the constant in the text, or list why the number cannot change").toEqual([]);
});

function inWords(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
