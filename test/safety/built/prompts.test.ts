import { rawService, reply } from "../../e2e/services/raw.ts";
import { inTerminal } from "../../e2e/terminal/terminal.ts";
import { chosen } from "../../helpers/deep.ts";
import { exited } from "../../helpers/exited.ts";
import { HOSTILE } from "../terminal/hostile.ts";

const TRANSACTION = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const REPLACE = `relayctl tx replace eth-main-1 ${TRANSACTION} --network-type evm --value 1 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc`;

/** A service of one transaction that holds this text wherever a text can be. */
function serviceOf(text: string) {
  const data = {
    id: TRANSACTION,
    relayer_id: "eth-main-1",
    status: text,
    to: text,
    value: "1",
    hash: text,
    status_reason: text,
  };
  return rawService((request) =>
    request.includes("/transactions/") && request.startsWith("GET ")
      ? reply(200, JSON.stringify({ success: true, data }))
      : reply(404, JSON.stringify({ success: false, data: null, message: text })),
  );
}

test("the service's texts appear in a question only as escaped text", async () => {
  const { env, requests } = await serviceOf(HOSTILE.map(([, text]) => text).join(" "));
  // One of the texts looks like a question.
  const typed = [{ after: "[y/N]\u001b", keys: "n\r" }];
  const { shown } = await exited(3, inTerminal(REPLACE, { env, typed }));
  expect(shown).toContain("\\u{1b}");
  expect(requests.every((request) => request.startsWith("GET "))).toBe(true);
});

describe("at a question", () => {
  const keyed: readonly (readonly [string, string, number])[] = [
    ["Ctrl-C", "\u0003", 130],
    ["Ctrl-D", "\u0004", 3],
    ["Enter", "\r", 3],
    ["no", "no\r", 3],
    ["an incomplete yes", "ye\u0003", 130],
  ];

  test.each(chosen(keyed, 1, 4))("%s sends nothing and restores the cursor", async (_, keys, code) => {
    const { env, requests } = await serviceOf("sent");
    const { shown } = await exited(code, inTerminal(REPLACE, { env, typed: [{ after: "? [y/N]", keys }] }));
    expect(shown.lastIndexOf("\u001b[?25h")).toBeGreaterThanOrEqual(shown.lastIndexOf("\u001b[?25l"));
    expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

describe("without a question the exit code is 3,", () => {
  const removal = "relayctl --demo notifications update ops-hook --remove-signing-key";

  const inputs: readonly (readonly [string, string])[] = [
    ["if stdin is a pipe", `yes | ${removal}`],
    ["if stderr is a file", `${removal} 2> words; code=$?; cat words; exit $code`],
    ["in CI", `CI=1 ${removal}`],
  ];

  test.each(chosen(inputs, 0))("%s, even in a terminal", async (_, line) => {
    const { exitCode, shown } = await inTerminal(line);
    expect([exitCode, shown]).toEqual([3, expect.not.stringContaining("? [y/N]")]);
  });
});
