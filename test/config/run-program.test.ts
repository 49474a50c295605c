import { expect, test } from "vitest";
import { runProgram } from "../../src/config/run-program.ts";

const LIMITS = { timeout: 20_000, maxBytes: 1_000 };

function node(script: string, limits = LIMITS) {
  return runProgram([process.execPath, "-e", script], { ...process.env, RELAYCTL_TOKEN: "canary" }, limits);
}

test("gives what a program prints, without a shell", async () => {
  const script = "console.log(process.argv[1])";
  const result = await runProgram([process.execPath, "-e", script, "$HOME `id` ; *"], process.env, LIMITS);
  expect(result).toEqual({ stdout: "$HOME `id` ; *\n" });
});

test("hides the token from it", async () => {
  expect(await node("console.log(String(process.env.RELAYCTL_TOKEN))")).toEqual({ stdout: "undefined\n" });
});

test("gives it no stdin to wait for", async () => {
  expect(await node("process.stdin.resume().on('end', () => console.log('ended'))")).toEqual({ stdout: "ended\n" });
});

test.each([
  ["console.log('canary'); console.error('canary'); process.exit(3)", LIMITS, "it ended with status 3"],
  ["console.log('canary'.repeat(1000)); setInterval(() => {}, 1000)", LIMITS, "it printed too much"],
  ["console.log('canary'); setInterval(() => {}, 1000)", { ...LIMITS, timeout: 300 }, "it took longer than 0.3 s"],
])("says what went wrong and nothing of the output: %s", async (script, limits, problem) => {
  expect(await node(script, limits)).toEqual({ stdout: "", problem });
});

test("says when there is no such program", async () => {
  expect(await runProgram(["/nowhere/pass"], {}, LIMITS)).toEqual({ stdout: "", problem: "there is no such program" });
});
