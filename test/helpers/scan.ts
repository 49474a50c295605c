/** The token of every test, searched for in everything that is captured. */
export const CANARY_TOKEN = "canary-token-0123456789-abcdefghij";
export const CANARY_KEY = "canary-signing-key-zyxwvutsrq-9876543210";
export const GENERATED_KEY = "6b1f0ac94e7d83522c95d8e3f7410b6a5e08c2719d3fa4b687fe21503c8d9e46";
/** A secret in data that may be printed, e.g. the path of a webhook URL, but not kept in the journal. */
export const CANARY_DATA = "canary-of-printed-data-5647382910-klmnopqrst";

export interface Captured {
  /** What was typed, for the message and to know when a token was asked for. */
  command: string;
  /** Absent when a signal ended it, or when something else than the program did. */
  exitCode?: number | undefined;
  stdout: string;
  stderr: string;
  /** What the journal of the run contains, where it has one. */
  journal?: string | undefined;
  /** Both went to a terminal: colors and a moving cursor are fine there. */
  terminal?: boolean;
  /** Color was asked for by a flag or a variable: the first words on stderr are colored, even in a pipe. */
  isColored?: boolean;
}

/** Every code of `relayctl help exit-codes` but 1, which is a bug wherever it turns up. */
const DOCUMENTED = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20, 74, 129, 130, 143];

/**
 * Returns the faults of any output: a secret, a stack trace, a warning of Node's, an escape sequence, an unknown exit
 * code.
 */
export function faultsOf(captured: Captured): string[] {
  const { command, exitCode, stdout, stderr, journal = "", terminal = false, isColored = false } = captured;
  const asked = /\bauth token\b/.test(command) ? [] : secretsIn(stdout);
  const asReceived = /\braw\b|\bapi\b/.test(command) && !terminal;
  // Help and tables have color wherever it is forced.
  const data = isColored && !/-o\b|--output\b/.test(command) ? stdout.replace(COLOUR, "") : stdout;
  return [
    ...asked.map((found) => `stdout holds ${found}`),
    ...secretsIn(stderr).map((found) => `stderr holds ${found}`),
    ...secretsIn(journal, { ...CANARIES, "a secret of data": CANARY_DATA }).map(
      (found) => `the journal holds ${found}`,
    ),
    ...tracesIn(stderr),
    ...(asReceived ? [] : actingCharacters("stdout", data, terminal ? CURSOR_AND_COLOUR : TSV_AND_CSV)),
    ...actingCharacters(
      "stderr",
      terminal ? stderr.replace(NOTIFICATION, "") : stderr,
      terminal ? CURSOR_AND_COLOUR : isColored ? COLOUR : NOTHING,
    ),
    ...(exitCode === undefined || DOCUMENTED.includes(exitCode) ? [] : [`exit code ${exitCode} is not documented`]),
  ];
}

const CANARIES = { "the token": CANARY_TOKEN, "the signing key": CANARY_KEY, "the new key": GENERATED_KEY };

/** Returns the names of canaries in a text: as they are, or in any encoding that a program may put them in. */
export function secretsIn(text: string, canaries: Readonly<Record<string, string>> = CANARIES): string[] {
  const reading = [text, text.toLowerCase(), ...decodings(text)].filter((part) => HALVES.test(part)).join("\n");
  if (reading === "") return [];
  return Object.entries(canaries)
    .filter(([, canary]) => holdsFragment(reading, canary))
    .map(([name]) => name);
}

const FRAGMENT = 16;
/** Every fragment of a canary has one of these whole. */
const HALVES = new RegExp(
  [...Object.values(CANARIES), CANARY_DATA].flatMap((canary) => canary.match(/.{8}/g) ?? []).join("|"),
);

/** A secret that is cut or half replaced is still a leak. */
function holdsFragment(reading: string, canary: string): boolean {
  return piecesOf(canary, FRAGMENT).some((part) => reading.includes(part));
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: text.length - length + 1 }, (_, index) => text.slice(index, index + length));
}

/** What a reader would find by decoding. The program's own search goes the other way and encodes. */
function decodings(text: string): string[] {
  return [
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    text.replace(/\\u(?:\{0*([0-9a-f]{1,4})\}|([0-9a-f]{4}))/gi, (_, braced?: string, bare?: string) =>
      String.fromCharCode(Number.parseInt(braced ?? bare ?? "", 16)),
    ),
    ...decodedRuns(text, HEX),
    ...decodedRuns(text, BASE64),
  ];
}

interface Encoding {
  form: RegExp;
  decode(run: string): string[];
  /** The runs in which an earlier search found nothing: most texts repeat them, and to decode them takes longest. */
  searched: Set<string>;
}

const HEX: Encoding = {
  form: /[0-9a-f]{16,}/gi,
  decode: (run) => [fromHex(run), fromHex(run.slice(1))],
  searched: new Set(),
};
const BASE64: Encoding = {
  form: /[A-Za-z0-9+/_-]{12,}/g,
  decode: (run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), "base64").toString("latin1")),
  searched: new Set(),
};

function decodedRuns(text: string, { form, decode, searched }: Encoding): string[] {
  if (searched.size > 100_000) searched.clear();
  return [...new Set(text.match(form))].flatMap((run) => {
    const found = searched.has(run) ? [] : decode(run).filter((part) => HALVES.test(part));
    if (found.length === 0) searched.add(run);
    return found;
  });
}

function fromHex(run: string): string {
  return Buffer.from(run, "hex").toString("latin1");
}

const STACK = /^\s+at .+:\d+:\d+\)?$/m;
const NODE_WARNING = /\(node:\d+\)|\(Use `node --trace|^node:internal|ExperimentalWarning|DeprecationWarning/m;

function tracesIn(stderr: string): string[] {
  return [
    ...(STACK.test(stderr) ? ["stderr holds a stack trace"] : []),
    ...(NODE_WARNING.test(stderr) ? ["stderr holds a warning of Node's"] : []),
    ...(/a bug in relayctl/.test(stderr) ? ["stderr tells of a bug"] : []),
  ];
}

const NOTHING = /(?!)/g;
const COLOUR = /\u001b\[\d{1,2}m/g;
const TSV_AND_CSV = /\t|\r(?=\n)/g;
const CURSOR_AND_COLOUR = /\u001b\[\??[0-9;]*[ABCDGHJKhlm]|\u001b\]8;;(?:https?:[\x21-\x7e]+)?\u001b\\|[\t\r]/g;
/** The bell of --notify, with a text in which nothing acts. */
const NOTIFICATION =
  /\u0007(?:\u001b\](?:9;relayctl: |777;notify;relayctl;)(?:tx wait|tx send-many): [^\0-\x1f\x7f-\x9f]*\u001b\\)/;
/** Control characters but the line end, and the characters that turn or hide a text. */
const ACTING = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/;
const CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f]/;

function actingCharacters(stream: "stdout" | "stderr", text: string, allowed: RegExp): string[] {
  // In a pipe the result is data, in which a bidi character is one of the texts' own.
  const acting = stream === "stdout" && allowed === TSV_AND_CSV ? CONTROL : ACTING;
  const [found] = acting.exec(text.replace(allowed, "")) ?? [];
  return found === undefined ? [] : [`${stream} holds U+${found.charCodeAt(0).toString(16).padStart(4, "0")}`];
}
